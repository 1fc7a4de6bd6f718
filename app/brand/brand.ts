/**
 * The shop's name, the text of its wordmark, what it sells in a few words ("jerseys and streetwear from Nigeria"), and
 * the line at the foot of its pages.
 */
export type Brand = { name: string; wordmark: string; tagline: string; footer: string };

/** What the owner has set. Null stands for the words that the shop comes with. */
export type StoredBrand = Record<"shopName" | "wordmark" | "tagline" | "footerLine", string | null>;

/** The words that the shop comes with. */
export const SHIPPED_BRAND = madeOf("Irepo", "jerseys and streetwear from Nigeria");
/** These words in a sentence, for search engines and home screens. */
export const SHIPPED_SENTENCE = "Jerseys and streetwear built on unity and connection.";

/** A wordmark without a text of its own is the name in capitals, and the footer names the wordmark. */
function madeOf(name: string, tagline: string, wordmark = name.toUpperCase(), footer?: string): Brand {
  return { name, wordmark, tagline, footer: footer ?? `© 2026 ${wordmark}. Cards are charged in naira (NGN).` };
}

/** The shop's words where the owner has set some of them. Undefined if the owner has set none. */
export function ownBrand({ shopName, wordmark, tagline, footerLine }: StoredBrand): Brand | undefined {
  if ((shopName ?? wordmark ?? tagline ?? footerLine) === null) return;
  const { name, tagline: usual } = SHIPPED_BRAND;
  return madeOf(shopName ?? name, tagline ?? usual, wordmark ?? undefined, footerLine ?? undefined);
}

/** What the shop is, in a sentence. */
export function sentenceOf({ name, tagline }: Brand): string {
  const isShipped = name === SHIPPED_BRAND.name && tagline === SHIPPED_BRAND.tagline;
  return isShipped ? SHIPPED_SENTENCE : asSentence(tagline);
}

/** The name with what it means; under another name, what the shop sells, since the meaning belongs to the first one. */
export function meaningOf({ name, tagline }: Brand, meaning: string): string {
  return name === SHIPPED_BRAND.name ? `${name} ${meaning}` : asSentence(tagline);
}

function asSentence(tagline: string): string {
  const begun = tagline.charAt(0).toUpperCase() + tagline.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

type Format = "html" | "json";

/** The text of a file of the shop with the words that it comes with replaced by the owner's. */
export function rebranded(text: string, format: Format, brand: Brand): string {
  const escaped = (words: string) =>
    format === "html" ? words.replaceAll("&", "&amp;").replaceAll("<", "&lt;") : JSON.stringify(words).slice(1, -1);
  return text
    .replaceAll(SHIPPED_BRAND.name, () => escaped(brand.name))
    .replaceAll(SHIPPED_SENTENCE, () => escaped(sentenceOf(brand)));
}
