import { fold } from "#app/infra/text/fold.ts";

const MOST_WORDS = 6;

/** Further meanings of a word: other names of the same thing, and the shades of a colour. */
const MEANINGS = new Map(
  Object.entries({
    shirt: ["jersey", "tee", "sleeve"],
    top: ["jersey", "tee", "sleeve"],
    tee: ["tshirt"],
    kit: ["jersey"],
    bag: ["tote"],
    pattern: ["print"],
    beige: ["sand", "cream", "stone", "natural"],
    blue: ["navy", "indigo"],
    brown: ["cocoa"],
    gray: ["grey", "stone"],
    grey: ["gray", "stone"],
    orange: ["terracotta", "ember"],
    red: ["clay", "terracotta"],
    white: ["cream", "natural"],
  }),
);
/** Words that are ignored, since they say nothing about a product. */
const SMALL_WORDS = ["a", "an", "and", "for", "in", "of", "on", "or", "the", "to", "with"];
/** Words that the spelling correction knows, in addition to those of the products and the kinds. */
export const KNOWN_WORDS = [...MEANINGS.keys()];

/**
 * The normalized words of a search: "T-Shirts", "t shirt" and "tshirt" all become "tee". Only the first six are used.
 */
export function searchWords(search: string): string[] {
  return fold(search)
    .replace(/\bt(ee)? ?shirts?\b/g, "tee")
    .split(" ")
    .filter((word) => word && !SMALL_WORDS.includes(word))
    .slice(0, MOST_WORDS);
}

/**
 * A query for PostgreSQL's full text search. Each word (or any of them) must be the beginning of a word of the product,
 * as it is or by one of its further meanings.
 */
export function matchingQuery(words: string[], which: "each" | "any"): string {
  const alternatives = words.map((word) => {
    const meant = [word, ...(MEANINGS.get(word) ?? MEANINGS.get(singular(word)) ?? [])];
    return `(${meant.map((one) => `${one}:*`).join(" | ")})`;
  });
  return alternatives.join(which === "each" ? " & " : " | ");
}

/** A query for the ranking: products that contain the words themselves rank higher. */
export function rankingQuery(words: string[]): string {
  return words.join(" | ");
}

/** The singular of a word, as far as its ending tells. */
export function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<=..[^s])s$/, "");
}
