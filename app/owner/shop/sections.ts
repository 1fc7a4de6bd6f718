import { z } from "zod";
import { SHIPPED_NAMES } from "#app/catalog/home/own-sections.ts";
import { isLinkTarget } from "#app/content/notation.ts";
import { ALT_MAX, haveOwnIds, LABEL_MAX, listedId, NO_ALT, picture, words } from "./hero.ts";

export const MOST_SECTIONS = 8;
/** The most products that are chosen one by one for a section. */
export const MOST_CHOSEN = 8;
/** How many products a section of the newest ones or of a collection shows. */
export const COUNTS = [4, 8] as const;
export const TITLE_MAX = 60;
export const TEXT_MAX = 400;
export const ADDRESS_MAX = 300;
/** The most letters of a product's id. */
const ID_MAX = 200;

const title = words(TITLE_MAX).refine((text) => text !== "", "Give it a title");
const most = z.literal(COUNTS, `Show ${COUNTS.join(" or ")} products`);
const alt = words(ALT_MAX).refine((text) => text !== "", NO_ALT);

/** A browser leaves out tabs of an address, so that one after the first slash could lead to another site. */
const isShopPath = (to: string) => isLinkTarget(to) && /^\/\S*$/.test(to);
const link = {
  label: words(LABEL_MAX),
  to: words(ADDRESS_MAX).refine(
    (to) => to === "" || isShopPath(to),
    "A page of the shop, like /about or /collections/tees",
  ),
};
const NO_LABEL = { path: ["label"], message: "Give the link a text" };
const isLabelled = ({ to, label }: { to: string; label: string }) => to === "" || label !== "";

const KINDS = [
  z.object({ id: listedId, kind: z.literal("arrivals"), title, most }),
  z.object({
    id: listedId,
    kind: z.literal("collection"),
    title: words(TITLE_MAX),
    collection: z.string().regex(/^[a-z0-9-]{1,60}$/, "Choose a collection"),
    most,
  }),
  z.object({
    id: listedId,
    kind: z.literal("products"),
    title,
    products: z
      .array(words(ID_MAX).refine((id) => id !== "", "Choose each product, or remove it"))
      .min(1, "Add a product")
      .max(MOST_CHOSEN, `At most ${MOST_CHOSEN} products`)
      .refine((ids) => new Set(ids).size === ids.length, "A product is there twice"),
  }),
  z
    .object({ id: listedId, kind: z.literal("picture"), title, text: words(TEXT_MAX), ...link, alt, picture })
    .refine(isLabelled, NO_LABEL),
  z
    .object({ id: listedId, kind: z.literal("slogan"), title, text: words(TEXT_MAX), ...link })
    .refine(isLabelled, NO_LABEL),
  z.object({ id: listedId, kind: z.literal("shipped"), name: z.enum(SHIPPED_NAMES) }),
] as const;
const section = z.discriminatedUnion(
  "kind",
  KINDS,
  "A kind is arrivals, collection, products, picture, slogan or shipped",
);

/**
 * The editable values of a section. Of its picture, these are the file and the focus point; the rest is read from the
 * stored file.
 */
export type SectionWish = z.infer<typeof section>;

/** All sections of the home page below its slides, in order. */
export const sections = z
  .array(section)
  .min(1, "Keep at least one section")
  .max(MOST_SECTIONS, `At most ${MOST_SECTIONS} sections`)
  .refine(haveOwnIds, "Two sections have the same id")
  .refine((all) => {
    const names = all.flatMap((one) => (one.kind === "shipped" ? one.name : []));
    return new Set(names).size === names.length;
  }, "A section that comes with the shop is there twice");
