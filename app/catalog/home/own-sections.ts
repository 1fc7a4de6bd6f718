import type { HomeSection, ProductImage, ShippedSection } from "#db/types.ts";
import type { ProductCard } from "../product.ts";
import { ARRIVALS, CLOTH, PAIRS, RAIL, SLOGAN } from "./texts.ts";

/** The titles of the sections whose words and pictures are in code, in the order in which the shop comes with them. */
export const SHIPPED_TITLES: Record<ShippedSection, string> = {
  cloth: CLOTH.title,
  pairs: PAIRS.title,
  rail: RAIL.title,
  slogan: SLOGAN.line,
};
export const SHIPPED_NAMES = Object.keys(SHIPPED_TITLES) as ShippedSection[];

const OTHERS = SHIPPED_NAMES.map((name) => ({ id: name, kind: "shipped" as const, name }));

/** The sections that the shop comes with, shown until the owner sets others. */
export const SHIPPED_SECTIONS: HomeSection[] = [
  { id: "new", kind: "arrivals", title: ARRIVALS.title, most: 4 },
  ...OTHERS,
];

export type SectionLink = { to: string; label: string };

/** The data of a section for the page. `to`: the page with all such products; empty for none. */
export type ShownSection = { id: string } & (
  | { kind: "products"; title: string; to: string; products: ProductCard[] }
  | { kind: "picture"; title: string; text: string; link?: SectionLink; picture: ProductImage }
  | { kind: "slogan"; title: string; text: string; link?: SectionLink }
  | { kind: "shipped"; name: ShippedSection }
);

/** `SHIPPED_SECTIONS` as the page shows them. */
export function shippedSections(newest: ProductCard[]): ShownSection[] {
  return [{ id: "new", kind: "products", title: ARRIVALS.title, to: "/shop", products: newest }, ...OTHERS];
}

/** How many of the newest products the sections need: at least one, for the picture of links to the page. */
export function newestIn(sections: HomeSection[] | null): number {
  return Math.max(1, ...(sections ?? SHIPPED_SECTIONS).map((one) => (one.kind === "arrivals" ? one.most : 0)));
}
