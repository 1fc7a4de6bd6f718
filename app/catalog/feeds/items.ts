import { CURRENCY_PARAMETER } from "#app/catalog/currency/parameter.ts";
import type { UsdCents } from "#app/money/money.ts";
import type { Kind } from "#db/types.ts";
import { namesOfKinds, type Product, pictureUrl } from "../product.ts";
import { ONE_SIZE } from "../sizes.ts";
import { type PriceMoney, priceNumber } from "../structured-data.ts";

/** One size of a product in a feed. Texts are plain; an empty text is left out. */
export type FeedItem = {
  id: string;
  /** The id of the product, which groups its sizes. Empty if the product has a single size. */
  group: string;
  title: string;
  /** The shop's name. */
  brand: string;
  description: string;
  link: string;
  /** The first picture, and up to ten more. */
  image: string;
  moreImages: string[];
  isInStock: boolean;
  /** A text like "79984.00 NGN": the struck price if the page shows any, otherwise the price. */
  price: string;
  salePrice: string;
  /** "2026-11-28T00:00:00.000Z/2026-12-01T08:30:00.000Z", if the sale has an end. */
  saleDates: string;
  color: string;
  size: string;
  material: string;
  kind: string;
  /** "230 g". */
  weight: string;
};

/** The origin of the shop's pages, its name, and its kinds of products. */
export type FeedShop = { site: string; name: string; kinds: Kind[] };

const MOST_IMAGES = 10;
/** JPEG in the largest width, which all readers of feeds accept. */
const IMAGE = [1200, "jpg"] as const;

/**
 * The items of a product, one per size. The prices are those that a visitor sees first on the page that the item links
 * to; in naira, they are the amounts to be charged. A running sale is dated from the start of the day of `now` in UTC,
 * so that the file stays the same for a day.
 */
export function feedItems(product: Product, money: PriceMoney, { site, name, kinds }: FeedShop, now: Date): FeedItem[] {
  const [image = "", ...moreImages] = product.images.map((one) => site + pictureUrl(one, ...IMAGE));
  const isSized = product.sizes.some(({ size }) => size !== ONE_SIZE);
  const isStruck = product.oldPriceCents !== undefined;
  const shared = {
    group: isSized ? product.id : "",
    title: product.title,
    brand: name,
    description: product.description,
    link: `${site}/singleProduct/${product.id}?${CURRENCY_PARAMETER}=${money.currency}`,
    image,
    moreImages: moreImages.slice(0, MOST_IMAGES),
    price: priceText(product.oldPriceCents ?? product.priceCents, money),
    salePrice: isStruck ? priceText(product.priceCents, money) : "",
    saleDates:
      isStruck && product.saleUntil
        ? `${now.toISOString().slice(0, 10)}T00:00:00.000Z/${product.saleUntil.toISOString()}`
        : "",
    color: product.color,
    material: product.details.fabric ?? "",
    kind: namesOfKinds(kinds, product.kinds).join(" > "),
    weight: product.details.weightGrams ? `${product.details.weightGrams} g` : "",
  };
  return product.sizes.map(({ size, available }) => ({
    ...shared,
    id: isSized ? `${product.id}-${size}` : product.id,
    isInStock: available > 0,
    size: isSized ? size : "",
  }));
}

function priceText(cents: UsdCents, money: PriceMoney): string {
  return `${priceNumber(cents, money)} ${money.currency}`;
}
