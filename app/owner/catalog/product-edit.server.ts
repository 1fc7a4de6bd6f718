import { isDeepStrictEqual } from "node:util";
import { eachFlag, filledDetails, type ProductFacts } from "#app/catalog/product-fields.ts";
import { dollars } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import type { Act } from "../orders/orders.server.ts";

/** The fields of a picture that a form sends. All others are read from the stored picture. */
export type EditedPicture = Pick<ProductImage, "hash" | "alt" | "focus">;

/** All values of a product as they should be saved. */
export type ProductEdit = ProductFacts & {
  images: EditedPicture[];
  /** `sizes` are all sizes of the product. `pieces` is the stock of those that are new. */
  sizes: string[];
  pieces: Partial<Record<string, number>>;
  /** "draft": hidden. A date: hidden until then. */
  shown: "draft" | "published" | Date;
};

/**
 * `problems` are keyed by the fields that they belong to. `since`: the save was refused because of these changes, which
 * others made after the form was opened. `version`: that of the saved product.
 */
export type EditDone =
  | { ok: true; id: string; what: string; version?: string }
  | { ok: false; problem: string; since?: Act[] }
  | { ok: false; problems: Record<string, string> };

export const GONE = { ok: false, problem: "Somebody has deleted this product" } as const;
export const PICTURE_GONE = {
  ok: false,
  problem: "A picture is missing. Remove it and add it again",
} as const;

export type Plain = ReturnType<typeof plainly>;

/** A product's values as the audit log stores them. */
export function plainly({ priceCents, details, images, sizes, pieces, shown, ...facts }: ProductEdit) {
  const { title, color, description, kinds, ...flags } = facts;
  return {
    title,
    color,
    description,
    price: dollars(priceCents),
    kinds,
    ...eachFlag((name) => flags[name]),
    details: filledDetails(details),
    images: images.map(({ hash, alt, focus }): EditedPicture => ({ hash, alt, ...(focus && { focus }) })),
    sizes: sizes.toSorted(),
    ...(Object.keys(pieces).length > 0 && { pieces }),
    hidden: shown !== "published",
    ...(shown instanceof Date && { publishAt: shown.toISOString() }),
  };
}

/** The fields that differ, with their values on both sides. */
export function difference(before: Plain, after: Plain): { before: Partial<Plain>; after: Partial<Plain> } {
  const names = (Object.keys({ ...before, ...after }) as (keyof Plain)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const of = (side: Plain) => Object.fromEntries(names.map((name) => [name, side[name]]));
  return { before: of(before), after: of(after) };
}

/** The fields whose columns store them unchanged. */
export function factsOf({ title, color, description, kinds, details, hidden, ...flags }: Partial<Plain>) {
  return { title, color, description, kinds, ...eachFlag((name) => flags[name]), details, hidden };
}

/** The time at which the product appears by itself; null if it does not. */
export function momentOfShowing(shown: ProductEdit["shown"]): Date | null {
  return shown instanceof Date ? shown : null;
}
