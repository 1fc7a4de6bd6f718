import { fold } from "#app/infra/text/fold.ts";

/** A word on an order or a customer. Words with equal `folded` are the same tag; `word` is the first spelling. */
export type Tag = { folded: string; word: string };

/** The most tags that one order or customer can have. */
export const MOST_TAGS = 10;
const LONGEST = 30; // characters

/** The tag that somebody typed, or what is wrong with it. */
export function readTag(typed: string): Tag | { problem: string } {
  const word = typed
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/\p{Pd}/gu, "-")
    .trim();
  if (word === "") return { problem: "Write a tag" };
  if ([...word].length > LONGEST) return { problem: `At most ${LONGEST} characters` };
  if (!/^[\p{L}\p{M}\p{N} -]+$/u.test(word)) return { problem: "Use letters, digits, spaces and dashes only" };
  const folded = fold(word);
  return folded === "" ? { problem: "Use at least one letter or digit" } : { folded, word };
}
