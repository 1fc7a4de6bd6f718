import { singular } from "./words.ts";

/** What a search probably means, in other words than its own. `isNear`: no word of it has more letters wrong than is easily done. */
export type Guess = { search: string; isNear: boolean };

/** Of letters that may be wrong in a word of such a length. */
const easilyWrong = (length: number) => (length >= 6 ? 2 : length >= 4 ? 1 : 0);
/** With more of its letters wrong it would be another word. */
const MOST_WRONG = 0.4;

/**
 * The words of a search as they are probably meant, by the words that are known: two that are one word are joined, one that is two is parted, and
 * one that nobody knows becomes the nearest; it is left out where none is near. Undefined where that changes nothing, or leaves nothing.
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

/** It is one, or begins one. Numbers are what they are. */
function isKnown(word: string, known: ReadonlySet<string>): boolean {
  if (/\d/.test(word) || known.has(word) || known.has(singular(word))) return true;
  return [...known].some((one) => one.startsWith(word));
}

type NearWord = { text: string; isNear: boolean };

function parted(word: string, known: ReadonlySet<string>): NearWord | undefined {
  for (let at = 3; at <= word.length - 3; at++) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every((part) => known.has(part) || known.has(singular(part))))
      return { text: parts.join(" "), isNear: true };
  }
}

function nearest(word: string, known: ReadonlySet<string>): NearWord | undefined {
  const easily = easilyWrong(word.length);
  let best: { text: string; wrong: number; begins: boolean } | undefined;
  let most = Math.max(easily, Math.floor(word.length * MOST_WRONG));
  for (const text of known) {
    if (Math.abs(text.length - word.length) > most) continue;
    const wrong = lettersWrong(word, text);
    const begins = text[0] === word[0];
    const isBetter = !best || wrong < best.wrong || (wrong === best.wrong && begins && !best.begins);
    if (wrong > most || !isBetter) continue;
    best = { text, wrong, begins };
    most = wrong;
  }
  return best && { text: best.text, isNear: best.wrong <= easily };
}

/** How many letters are wrong, missing or too many, or have changed places with the next one (optimal string alignment). */
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
