/** The text of `words` for a link that is used or expired. Undefined if the link is valid or was never issued. */
export function overText(words: Record<"used" | "old", string>, state: string): string | undefined {
  return state === "used" || state === "old" ? words[state] : undefined;
}
