import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { HERO_GROUNDS, ownPicture, shippedPicture } from "#app/ui/frame/hero-pictures.ts";
import type { HeroSlide, HomeSection } from "#db/types.ts";
import type { Product } from "../product.ts";
import { collectionOf, currentTarget, HERO_PLACES, productOf, SHIPPED_SLIDES } from "./hero.ts";
import type { NamedPlace } from "./named-link.tsx";

const read = statement(
  {
    takes: {},
    gives: {
      hero: sqlType.orNull(sqlType.json<HeroSlide[]>()),
      homeSections: sqlType.orNull(sqlType.json<HomeSection[]>()),
    },
  },
  "select hero, home_sections::jsonb as home_sections from shop_settings",
);

/** The slides of the home page, and the owner's sections below them; null if the owner has set none. */
export type HomeContents = { slides: HeroSlide[]; sections: HomeSection[] | null };

/** What the home page shows now. */
export async function homeContents(on: Db): Promise<HomeContents> {
  const [row] = await read(on);
  return { slides: row?.hero ?? SHIPPED_SLIDES, sections: row?.homeSections ?? null };
}

/** The current slides of the home page. */
export async function heroSlides(on: Db): Promise<HeroSlide[]> {
  return (await homeContents(on)).slides;
}

/** A link to the product. Undefined if there is no product or it is no longer sold. */
export function placeOf(product: Product | undefined, label = ""): NamedPlace | undefined {
  if (!product || product.hidden) return;
  return { to: `/singleProduct/${product.id}`, title: label || product.title, priceCents: product.priceCents };
}

/**
 * The data of a slide for the page. `products` and `collections`, which has names by id, must contain that to which the
 * slide links.
 */
export function shownSlide(
  { id, ground, title, text, alt, target: stored, label, desktop, phone }: HeroSlide,
  products: Map<string, Product>,
  collections: Map<string, string> = new Map(),
) {
  const target = currentTarget(stored);
  const product = productOf(target);
  const name = HERO_PLACES[target] ?? collections.get(collectionOf(target) ?? "");
  const place =
    product !== undefined
      ? placeOf(products.get(product), label)
      : name !== undefined
        ? { to: target, title: label || name }
        : undefined;
  const picture = desktop ? ownPicture(desktop, phone, alt) : shippedPicture(ground, alt);
  return { id, ground: HERO_GROUNDS[ground], title, text, picture, place };
}
