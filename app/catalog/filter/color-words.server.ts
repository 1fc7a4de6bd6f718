import { FAMILY_NAMES, type Family } from "./colors.ts";

/** The words by which a colour's family is recognized. A word may be in two families. */
const WORDS: Record<Exclude<Family, "other">, string> = {
  green: "green palm olive lime sage emerald mint moss forest khaki pine jade bottle teal",
  blue: "blue navy indigo teal turquoise aqua cyan sky cobalt royal denim lagoon petrol ocean",
  red: "red crimson scarlet burgundy wine maroon clay brick cherry",
  orange: "orange terracotta rust ember apricot peach copper tangerine coral",
  yellow: "yellow gold golden mustard lemon amber saffron sunflower",
  brown: "brown cocoa chocolate coffee tan camel chestnut bronze mocha caramel",
  cream: "cream sand beige stone oat natural ecru ivory khaki camel harmattan",
  white: "white",
  grey: "grey gray silver charcoal ash slate graphite",
  black: "black ebony onyx jet",
  pink: "pink rose blush fuchsia magenta salmon",
  purple: "purple violet lilac lavender plum aubergine mauve",
};

const families = Object.entries(WORDS).map(([family, words]) => ({
  family: family as Family,
  words: new Set(words.split(" ")),
}));

/** The families of a colour such as "Palm Green" or "Black and White"; `other` if none of its words is known. */
export function familiesOf(color: string): Family[] {
  const words = color.toLowerCase().split(/[^\p{L}]+/u);
  if (!words.some(Boolean)) return [];
  const found = families.filter((one) => words.some((word) => one.words.has(word))).map(({ family }) => family);
  return found.length > 0 ? found : ["other"];
}

/** The families of these colours, in the order of the filter. */
export function familiesIn(colors: string[]): Family[] {
  const found = new Set(colors.flatMap(familiesOf));
  return FAMILY_NAMES.filter((family) => found.has(family));
}
