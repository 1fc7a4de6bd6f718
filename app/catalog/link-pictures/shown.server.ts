import { createHash } from "node:crypto";
import { type Brand, SHIPPED_BRAND } from "#app/brand/brand.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { formatUsd } from "#app/money/format.ts";
import type { HeroSlide } from "#db/types.ts";
import { getProduct, listCards } from "../catalog.server.ts";
import { getCollection } from "../collections/collections.server.ts";
import { readFilters } from "../filter/filters.ts";
import { heroSlides } from "../home/hero.server.ts";
import type { Product, ProductCard } from "../product.ts";
import { findCards } from "../search/search.server.ts";

/** What the link picture of a page shows. `picture` is the hash of a picture of the catalogue. */
export type Shown = { wordmark: string; title: string; price?: string; picture?: string };

/** Part of each version: with a higher number, every link picture is drawn anew. */
const DESIGN = 1;

/** The version in the URL of a link picture, 12 hexadecimal digits: a hash of all that is shown. */
export function versionOf({ wordmark, title, price = "", picture = "" }: Shown): string {
  const all = JSON.stringify([DESIGN, wordmark, title, price, picture]);
  return createHash("sha256").update(all).digest("hex").slice(0, 12);
}

type Cards = readonly Pick<ProductCard, "front">[];

/** The picture of the first slide if the owner has uploaded it, or else of the first product. */
export function shownOfHome([slide]: readonly HeroSlide[], products: Cards, brand: Brand): Shown {
  const { picture, ...list } = shownOfList(capital(brand.tagline), products, brand);
  return { ...list, picture: slide?.desktop?.hash ?? picture };
}

/** `title` and the picture of the first product. */
export function shownOfList(title: string, [first]: Cards, { wordmark }: Brand): Shown {
  return { wordmark, title, picture: first?.front?.hash };
}

/** The price is in dollars: chats keep a picture for days, and a price in naira changes with each rate. */
export function shownOfProduct({ title, priceCents, images }: Product, { wordmark }: Brand): Shown {
  return { wordmark, title, price: formatUsd(priceCents), picture: images[0]?.hash };
}

export const SHOP_TITLE = "Shop";
export const ABOUT_TITLE = "About";

/**
 * What the link picture of a page shows now. `page` is "home", "shop", "about", "singleProduct/ID" or "collections/ID".
 * Undefined for all other pages, and if there is no such product or collection or it is hidden.
 */
export async function shownNow(on: Db, page: string): Promise<Shown | undefined> {
  const [place, id] = page.split("/");
  const { brand = SHIPPED_BRAND } = await shopSettings(on);
  if (id !== undefined) {
    if (place === "singleProduct") {
      const product = await getProduct(on, id);
      return product ? shownOfProduct(product, brand) : undefined;
    }
    const collection = place === "collections" ? await getCollection(on, id) : undefined;
    return collection && shownOfList(collection.name, await firstOf(on, collection), brand);
  }
  if (place === "home") return shownOfHome(await heroSlides(on), await listCards(on, {}, 1), brand);
  if (place === "shop") return shownOfList(SHOP_TITLE, await firstOf(on), brand);
  return place === "about" ? shownOfList(ABOUT_TITLE, await listCards(on, {}, 1), brand) : undefined;
}

/** The first product of the whole shop's list or of a collection's, without filters. */
async function firstOf(on: Db, collection?: Parameters<typeof findCards>[3]): Promise<Cards> {
  const { found } = await findCards(on, readFilters(new URLSearchParams()), { after: 0, most: 1 }, collection);
  return found;
}
