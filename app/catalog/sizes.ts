/** The sizes in display order. The table product_sizes accepts these; size-guide.tsx has their measures. */
export const SIZES = ["S", "M", "L", "XL", "XXL"] as const;
/** The only size of an accessory. No size picker is shown for it. */
export const ONE_SIZE = "ONE";
/** The range of sizes, for texts. */
export const SIZE_RANGE = `${SIZES[0]} to ${SIZES.at(-1)}`;
/** Why `isMixed` sizes are refused. */
export const EITHER_SORT = `a product has either ${ONE_SIZE} or sizes from ${SIZE_RANGE}, not both`;

/** Whether ONE_SIZE is mixed with other sizes, for which the product's page could show no size picker. */
export function isMixed(sizes: readonly string[]): boolean {
  return sizes.includes(ONE_SIZE) && sizes.some((size) => size !== ONE_SIZE);
}

/** The most units of a size that can be in stock. */
export const MOST_IN_STOCK = 999_999;

export type SizeStock = { size: string; available: number };

/** The entries with a known size, in the specification's order. */
export function inOrder<Stock extends Pick<SizeStock, "size">>(stock: Stock[]): Stock[] {
  const order: readonly string[] = [...SIZES, ONE_SIZE];
  return stock.filter(({ size }) => order.includes(size)).sort((a, b) => order.indexOf(a.size) - order.indexOf(b.size));
}

/** The name of a size where it is shown on its own. */
export function sizeName(size: string): string {
  return size === ONE_SIZE ? "One size" : size;
}

type Variant = { color?: string; size?: string };

/** The variant of a product as text, like "Palm Green, M". A missing colour and the size ONE are omitted. */
export function variantText({ color, size }: Variant, between = ", "): string {
  return [color, size === ONE_SIZE ? undefined : size].filter(Boolean).join(between);
}

/** A product with its variant, like "Home Jersey, Palm Green, M". */
export function pieceText({ title, ...variant }: Variant & { title: string }): string {
  return [title, variantText(variant)].filter(Boolean).join(", ");
}
