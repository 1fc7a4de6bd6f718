import { CURRENCY_PARAMETER } from "#app/catalog/currency/parameter.ts";
import type { UsdCents } from "#app/money/money.ts";
import { KINDS, type Product, pictureUrl } from "../product.ts";
import { ONE_SIZE } from "../sizes.ts";
import { type PriceMoney, priceNumber } from "../structured-data.ts";

/** What a feed says about one size of a product. Texts are plain; an empty one is left out. */
export type FeedItem = {
  id: string;
  /** The product that the sizes belong to. Empty where there is one size alone. */
  group: string;
  title: string;
  description: string;
  link: string;
  /** The first picture, and up to ten more. */
  image: string;
  moreImages: string[];
  isInStock: boolean;
  /** "79984.00 NGN". The price without the sale, where the page shows one struck. */
  price: string;
  salePrice: string;
  /** "2026-11-28T00:00:00.000Z/2026-12-01T08:30:00.000Z", if the sale has an end. */
  saleDates: string;
  color: string;
  size: string;
  material: string;
  kind: string;
};

const MOST_IMAGES = 10;
/** JPEG in the largest width: every reader of feeds takes it. */
const IMAGE = [1200, "jpg"] as const;

/**
 * The items of a product, one a size. Prices are those that the product's page shows first to who comes by the item's
 * link: in naira as they are charged. A sale that runs counts from the first moment of the day of `now`, in UTC, so
 * that the file stays the same for a day.
 */
export function feedItems(product: Product, money: PriceMoney, site: string, now: Date): FeedItem[] {
  const [image = "", ...moreImages] = product.images.map((one) => site + pictureUrl(one, ...IMAGE));
  const isSized = product.sizes.some(({ size }) => size !== ONE_SIZE);
  const isStruck = product.oldPriceCents !== undefined;
  const shared = {
    group: isSized ? product.id : "",
    title: product.title,
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
    kind: product.kinds.map((kind) => KINDS[kind]).join(" > "),
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
