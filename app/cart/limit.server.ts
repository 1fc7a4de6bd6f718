import { availableIn, type Product } from "#app/catalog/product.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { MOST_OF_A_LINE } from "./cart.ts";

/** The owner's limit for units of one size in a cart or an order; without one, the largest quantity of a line. */
export function mostOfASize(): number {
  return Math.min(knownShopSettings().mostOfASize ?? MOST_OF_A_LINE, MOST_OF_A_LINE);
}

/** The most units of a size in one order: the stock, or the owner's limit if that is lower. */
export function mostToBuy(product: Product, size: string): number {
  return Math.min(availableIn(product, size), mostOfASize());
}
