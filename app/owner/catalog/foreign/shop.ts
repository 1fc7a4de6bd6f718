import { ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import type { ProductDetails, ProductKind } from "#db/types.ts";
import type { TableProblem } from "../table-row.ts";
import type { Model } from "./model.ts";

/** The products of another shop's file. `problems` and `leftOut` as in Translated. */
export type Reading = { models: Model[]; problems: TableProblem[]; leftOut: TableProblem[] };

/** A product to be exported, as documents have it. `price` and `normalPrice` are in dollars. */
export type OurProduct = {
  id: string;
  title: string;
  color: string;
  description: string;
  price: number;
  normalPrice?: number;
  kinds: ProductKind[];
  images: string[];
  sizes: Record<string, number>;
  hidden?: boolean;
  details?: ProductDetails;
};

export type SoldSize = { size: string; sku: string; pieces: number; price: string };

/** The sizes of a product in display order, at the normal price. */
export function sizesOf({ id, sizes, price, normalPrice }: OurProduct): SoldSize[] {
  return [...SIZES, ONE_SIZE].flatMap((size) => {
    const pieces = sizes[size];
    const sku = size === ONE_SIZE ? id : `${id}-${size}`;
    return pieces === undefined ? [] : [{ size, sku, pieces, price: (normalPrice ?? price).toFixed(2) }];
  });
}
