import { singular } from "./words.ts";

/**
 * The probable meaning of a search. `isNear`: every corrected word has only as many wrong letters as a typing error
 * explains.
 */
export type Guess = { search: string; isNear: boolean };

/** The number of wrong letters that count as a typing error, by the word's length. */
const easilyWrong = (length: number) => (length >= 6 ? 2 : length >= 4 ? 1 : 0);
/** The largest share of wrong letters. Beyond it, the words are considered different. */
const MOST_WRONG = 0.4;

/**
 * Corrects the words of a search to known words. Two words that form a known one are joined, a word made of two known
 * ones is split, and an unknown word is replaced by the nearest, or left out if none is near. Undefined if nothing
 * changes or no word remains.
 */
export function respell(words: string[], known: ReadonlySet<string>): Guess | undefined {
  const meant: string[] = [];
  let isNear = true;
  for (let at = 0; at < words.length; at++) {
    const [word = "", next = ""] = words.slice(at, at + 2);
    if (next && known.has(word + next) && !(known.has(word) && known.has(next))) {
      meant.push(word + next);
      at++;
    } else if (isKnown(word, known)) meant.push(word);
    else {
      const guess = parted(word, known) ?? nearest(word, known);
      if (guess) meant.push(guess.text);
      isNear &&= guess?.isNear ?? false;
    }
  }
  const search = meant.join(" ");
  return search && search !== words.join(" ") ? { search, isNear } : undefined;
}

/** Whether the word is known or the beginning of a known word. Every word with a digit counts as known. */
function isKnown(word: string, known: ReadonlySet<string>): boolean {
  if (/\d/.test(word) || known.has(word) || known.has(singular(word))) return true;
  return [...known].some((one) => one.startsWith(word));
}

type NearWord = { text: string; isNear: boolean };
type Ranked = { text: string; ranks: [wrong: number, begins: number, longer: number] };

function parted(word: string, known: ReadonlySet<string>): NearWord | undefined {
  for (let at = 3; at <= word.length - 3; at++) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every((part) => known.has(part) || known.has(singular(part))))
      return { text: parts.join(" "), isNear: true };
  }
}

/**
 * The known word with the fewest wrong letters. Of several: one with the same first letter, then the one nearest in
 * length, since letters are swapped more often than left out, then the first in the alphabet.
 */
function nearest(word: string, known: ReadonlySet<string>): NearWord | undefined {
  const easily = easilyWrong(word.length);
  const most = Math.max(easily, Math.floor(word.length * MOST_WRONG));
  let best: Ranked | undefined;
  for (const text of known) {
    const longer = Math.abs(text.length - word.length);
    if (longer > (best?.ranks[0] ?? most)) continue;
    const ranked: Ranked = { text, ranks: [lettersWrong(word, text), text[0] === word[0] ? 0 : 1, longer] };
    if (ranked.ranks[0] <= most && (!best || isBefore(ranked, best))) best = ranked;
  }
  return best && { text: best.text, isNear: best.ranks[0] <= easily };
}

function isBefore(a: Ranked, b: Ranked): boolean {
  for (const at of [0, 1, 2] as const) if (a.ranks[at] !== b.ranks[at]) return a.ranks[at] < b.ranks[at];
  return a.text < b.text;
}

/**
 * The number of letters that are wrong, missing, superfluous or swapped with their neighbour (optimal string
 * alignment).
 */
export function lettersWrong(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const steps = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps.push((before[j - 2] ?? 0) + 1);
      row.push(Math.min(...steps));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
