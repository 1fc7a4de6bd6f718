import type { HeroSlide } from "#db/types.ts";
import { KIND_NAMES, KINDS } from "../product.ts";

const PRODUCT = "product:";

/** The slides that the shop comes with, until its owner chooses others. Their pictures are those of their grounds. */
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

/** Where the link of a slide may lead beside products. */
export const HERO_PLACES: Record<string, string> = {
  ...Object.fromEntries(KIND_NAMES.map((kind) => [`/shop?kind=${kind}`, KINDS[kind]])),
  "/about": "About us",
  "/shipping-policy": "Shipping",
  "/return-policy": "Returns",
};

export function targetOf(product: string): string {
  return PRODUCT + product;
}

/** The product that a target names; undefined where it names a place, or nothing. */
export function productOf(target: string): string | undefined {
  return target.startsWith(PRODUCT) ? target.slice(PRODUCT.length) : undefined;
}
