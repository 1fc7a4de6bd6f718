/**
 * The collections that the owner's specification describes, each a file NAME.json. Shopping holds the one document
 * Shipping.
 */
export const COLLECTIONS = ["Products", "Users", "Sales", "Subscription", "ExchangeRate", "Shopping"] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** The counts as text, like "12 Products, 3 Users". */
export function countText(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
