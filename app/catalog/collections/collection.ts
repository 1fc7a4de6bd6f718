import { FAMILIES, type Family } from "#app/catalog/filter/colors.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import type { CollectionRule, Kind, ProductImage } from "#db/types.ts";

/** Products that the owner has chosen, with a page of their own. `words`: a sentence or two about them, or none. */
export type Collection = { id: string; name: string; words: string; picture?: ProductImage };
export type CollectionLink = Pick<Collection, "id" | "name">;

/** The most links to collections above a list of products. */
export const MOST_LINKED = 12;

/** A rule in words, such as "tees, green or blue, up to $50, on sale". */
export function ruleText(
  { kind, colors = [], minCents, maxCents, onSale, newDays }: CollectionRule,
  kinds: readonly Kind[],
): string {
  const parts = [
    kind && (kinds.find(({ id }) => id === kind)?.name ?? kind).toLowerCase(),
    colors.map((family) => FAMILIES[family as Family].name.toLowerCase()).join(" or "),
    minCents !== undefined && `from ${formatUsd(usdCents(minCents))}`,
    maxCents !== undefined && `up to ${formatUsd(usdCents(maxCents))}`,
    onSale && "on sale",
    newDays !== undefined && `new within ${newDays} ${newDays === 1 ? "day" : "days"}`,
  ];
  return parts.filter(Boolean).join(", ");
}
