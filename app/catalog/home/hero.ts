import { collectionPath } from "#app/ui/frame/paths.ts";
import type { HeroSlide } from "#db/types.ts";

const PRODUCT = "product:";

/**
 * The built-in slides, shown until the owner sets others. `ground` selects both the background and the built-in
 * picture.
 */
export const SHIPPED_SLIDES: HeroSlide[] = [
  shipped(
    "orange",
    "Wear\nthe same\nheart",
    "unity-away-jersey",
    "Cream Unity Away Jersey and green Unity Home Jersey on wooden hangers",
  ),
  shipped(
    "green",
    "One mind,\none shirt",
    "lagoon-sash-jersey",
    "White Lagoon Sash Jersey beside an orange Ember Pinstripe Jersey",
  ),
  shipped("brown", "Built on\nunity", "cocoa-hoops-jersey", "Cocoa Hoops Jersey in front of an Adire Indigo Jersey"),
];

function shipped(ground: HeroSlide["ground"], title: string, product: string, alt: string): HeroSlide {
  return { id: ground, ground, title, text: "", alt, target: targetOf(product), label: "", desktop: null, phone: null };
}

/** The targets of a slide's link, besides products, kinds and collections. */
export const HERO_PLACES: Record<string, string> = {
  "/about": "About us",
  "/shipping-policy": "Shipping",
  "/returnpolicy": "Returns",
};

/**
 * The path for a stored target. A stored slide may link to /return-policy, which is not the shop's path of the returns
 * page, or to the former address of a kind.
 */
export function currentTarget(target: string): string {
  const kind = /^\/shop\?kind=([a-z0-9-]{1,60})$/.exec(target)?.[1];
  if (kind) return collectionPath(kind);
  return target === "/return-policy" ? "/returnpolicy" : target;
}

export function targetOf(product: string): string {
  return PRODUCT + product;
}

/** The id of the collection or kind whose page is the target. Undefined if the target is none. */
export function collectionOf(target: string): string | undefined {
  return /^\/collections\/([a-z0-9-]{1,60})$/.exec(target)?.[1];
}

/** The product id of a target. Undefined if the target is not a product. */
export function productOf(target: string): string | undefined {
  return target.startsWith(PRODUCT) ? target.slice(PRODUCT.length) : undefined;
}
