/** The sizes in the order in which they are shown. The table product_sizes takes these, size-guide.tsx has their measures. */
export const SIZES = ["S", "M", "L", "XL", "XXL"] as const;
/** The only size of an accessory, which shows no picker. */
export const ONE_SIZE = "ONE";
/** In sentences. */
export const SIZE_RANGE = `${SIZES[0]} to ${SIZES.at(-1)}`;

/** The most units of a size that can be in stock. */
export const MOST_IN_STOCK = 999_999;

export type SizeStock = { size: string; available: number };

/** Only sizes that exist on the product, in the specification's order. */
export function inOrder<Stock extends Pick<SizeStock, "size">>(stock: Stock[]): Stock[] {
  const order: readonly string[] = [...SIZES, ONE_SIZE];
  return stock.filter(({ size }) => order.includes(size)).sort((a, b) => order.indexOf(a.size) - order.indexOf(b.size));
}
