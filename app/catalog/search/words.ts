const MOST_WORDS = 6;

/** What else may be meant by a word: other names of the same thing, and the shades of a colour. */
const MEANINGS = new Map(
  Object.entries({
    shirt: ["jersey", "tee", "sleeve"],
    top: ["jersey", "tee", "sleeve"],
    tee: ["tshirt", "t-shirt"],
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
/** Say nothing of a product. */
const SMALL_WORDS = ["a", "an", "and", "for", "in", "of", "on", "or", "the", "to", "with"];
/** The words that searches know beside those of the products. */
export const KNOWN_WORDS = [...MEANINGS.keys(), "print", "accessory"];

/** The words of a search, in lower case: "T-Shirts", "t shirt" and "tshirt" are all "tee". The first six count. */
export function searchWords(search: string): string[] {
  return search
    .toLowerCase()
    .replace(/\bt(ee)?[\s-]*shirts?\b/g, "tee")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word && !SMALL_WORDS.includes(word))
    .slice(0, MOST_WORDS);
}

/** A query of PostgreSQL's full text search: each word, or one of them, begins a word of the product, or one that may be meant by it does. */
export function matchingQuery(words: string[], which: "each" | "any"): string {
  const alternatives = words.map((word) => {
    const meant = [word, ...(MEANINGS.get(word) ?? MEANINGS.get(singular(word)) ?? [])];
    return `(${meant.map((one) => `${one}:*`).join(" | ")})`;
  });
  return alternatives.join(which === "each" ? " & " : " | ");
}

/** A query by which products rank that have the words themselves. */
export function rankingQuery(words: string[]): string {
  return words.join(" | ");
}

/** The word for one of them, where this is the word for several. */
export function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<=..[^s])s$/, "");
}
