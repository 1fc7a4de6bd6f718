import type { UsdCents } from "#app/money/money.ts";
import { dollars } from "#app/money/money.ts";
import type { ProductDetail, ProductDetails, ProductImage, ProductKind } from "#db/types.ts";
import type { SizeStock } from "./sizes.ts";

/** What a product may be, in the order in which it is shown. */
export const KINDS: Record<ProductKind, string> = {
  jerseys: "Jerseys",
  tees: "Tees",
  prints: "Prints",
  accessories: "Accessories",
};
export const KIND_NAMES = Object.keys(KINDS) as ProductKind[];
export type KindCount = { kind: ProductKind; count: number };
/** What a product's page tells of it beside the description, in this order. */
export const DETAILS: ProductDetail[] = ["fabric", "fit", "back", "care", "origin"];

/** A product as shoppers see it: `sizes` in order, with the units that can be bought now (in stock and not reserved). */
export type Product = {
  id: string;
  title: string;
  color: string;
  description: string;
  priceCents: UsdCents;
  kinds: ProductKind[];
  /** It cannot be returned. */
  finalSale: boolean;
  details: ProductDetails;
  images: ProductImage[];
  sizes: SizeStock[];
  /** No longer sold. */
  hidden?: boolean;
};

/** What a list shows of a product; `back` is the hash of the picture that is shown on hover. */
export type ProductCard = Pick<Product, "id" | "title" | "color" | "priceCents"> & {
  front?: ProductImage;
  back?: string;
  /** In order. */
  sizesInStock: string[];
  soldOut: boolean;
};

export function isSoldOut(product: Product): boolean {
  return product.sizes.every(({ available }) => available === 0);
}

/** The units of a size that can be bought; 0 where the product has no such size. */
export function availableIn(product: Product, size: string): number {
  return product.sizes.find((one) => one.size === size)?.available ?? 0;
}

/** Stands where a product has no picture. */
export const PLACEHOLDER_IMAGE = "/placeholder.svg";

/** The URL of one rendering of a picture; the pictures' own server makes it on demand. */
export function pictureUrl(image: { hash: string }, width: number, format: "avif" | "webp" | "jpg"): string {
  return `/images/${image.hash}/${width}.${format}`;
}

/** The specification's Product: price in dollars, sizes as a map, quantity as their sum; then what this shop has beside it. `site` is the origin of the pictures' URLs. */
export function toSpecification(product: Product, site: string) {
  return {
    id: product.id,
    title: product.title,
    color: product.color,
    price: dollars(product.priceCents),
    images: product.images.map((image) => site + pictureUrl(image, 800, "jpg")),
    sizes: Object.fromEntries(product.sizes.map(({ size, available }) => [size, available])),
    quantity: product.sizes.reduce((sum, { available }) => sum + available, 0),
    description: product.description,
    kinds: product.kinds,
    finalSale: product.finalSale,
    details: product.details,
  };
}
