import { dollars, type UsdCents } from "#app/money/money.ts";
import type { Kind, ProductImage, ProductKind } from "#db/types.ts";
import type { Family } from "./filter/colors.ts";
import type { ProductFacts } from "./product-fields.ts";
import type { SizeStock } from "./sizes.ts";

export type KindCount = Kind & { count: number };

/** Those of all kinds that are named, in display order. */
export function kindsIn(kinds: readonly Kind[], named: readonly ProductKind[]): Kind[] {
  return kinds.filter(({ id }) => named.includes(id));
}

/** The names of the kinds with these ids, in display order. */
export function namesOfKinds(kinds: readonly Kind[], named: readonly ProductKind[]): string[] {
  return kindsIn(kinds, named).map(({ name }) => name);
}

/**
 * A product as shoppers see it. `sizes` are in display order, with the units that can be bought now: in stock and not
 * reserved.
 */
export type Product = ProductFacts & {
  id: string;
  /** Whether `priceCents` is a sale price, until `saleUntil` if it has an end. */
  isOnSale?: boolean;
  saleUntil?: Date;
  /** The price struck beside the sale price. Missing if the lowest price of the 30 days before was not higher. */
  oldPriceCents?: UsdCents;
  images: ProductImage[];
  sizes: SizeStock[];
  /** When its queue opens. Only on a product that is read by its id and sold in turns. */
  queueOpensAt?: Date;
  /** The product is no longer sold, or not yet. */
  hidden?: boolean;
};

/** The fields of a product in a list. `back` is the hash of the picture shown on hover. */
export type ProductCard = Pick<Product, "id" | "title" | "color" | "priceCents"> & {
  front?: ProductImage;
  back?: string;
  /** In display order. */
  sizesInStock: string[];
  soldOut: boolean;
  oldPriceCents?: UsdCents;
  /** All colours of its model, on the card of a model that has several. */
  colors?: CardColor[];
};

/** A colour of a model on its card, with the families of the colour for its swatch. */
export type CardColor = Omit<ProductColor, "front"> & { families: Family[] };

/** A product as one of the colours in which its model is sold. */
export type ProductColor = { id: string; color: string; front: ProductImage | null; inStock: boolean };
/** The most colours of one model that a page links to. */
export const MOST_COLORS = 12;

export function isSoldOut(product: Product): boolean {
  return product.sizes.every(({ available }) => available === 0);
}

/** The units of a size that can be bought; 0 if the product does not have this size. */
export function availableIn(product: Product, size: string): number {
  return product.sizes.find((one) => one.size === size)?.available ?? 0;
}

/** The picture of products without one. */
export const PLACEHOLDER_IMAGE = "/placeholder.svg";

/** The URL of one rendering of a picture. The server makes renderings on demand. */
export function pictureUrl(image: { hash: string }, width: number, format: "avif" | "webp" | "jpg"): string {
  return `/images/${image.hash}/${width}.${format}`;
}

/**
 * The URL of a picture in a mail: a JPEG, since few mail programs show newer formats, wide enough for the sharpest
 * screens. It is the same for every reader, so that nobody learns who has opened a mail.
 */
export function mailPictureUrl(image: { hash: string }, publicUrl: URL): string {
  return new URL(pictureUrl(image, 160, "jpg"), publicUrl).href;
}

/**
 * The product in the specification's shape: price in dollars, sizes as a map, quantity as their sum; then fields that
 * this shop adds. `site` is the origin of the pictures' URLs.
 */
export function toSpecification(product: Product, site: string) {
  return {
    id: product.id,
    title: product.title,
    color: product.color,
    price: dollars(product.priceCents),
    ...(product.oldPriceCents && { oldPrice: dollars(product.oldPriceCents) }),
    images: product.images.map((image) => site + pictureUrl(image, 800, "jpg")),
    sizes: Object.fromEntries(product.sizes.map(({ size, available }) => [size, available])),
    quantity: product.sizes.reduce((sum, { available }) => sum + available, 0),
    description: product.description,
    kinds: product.kinds,
    finalSale: product.finalSale,
    details: product.details,
  };
}
