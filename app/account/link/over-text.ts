/** Why a link that was good once is not, in the words of its page; undefined: it is good, or never was. */
export function overText(words: Record<"used" | "old", string>, state: string): string | undefined {
  return state === "used" || state === "old" ? words[state] : undefined;
}
