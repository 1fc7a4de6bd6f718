import { isDeepStrictEqual } from "node:util";
import { dollars, type UsdCents } from "#app/money/money.ts";
import type { ProductDetails, ProductImage, ProductKind } from "#db/types.ts";
import type { Act } from "../orders.server.ts";

/** A picture as it is named by whoever edits: what else is known of it lies in the store. */
export type EditedPicture = Pick<ProductImage, "hash" | "alt" | "focus">;

/** A product as it shall be, whole. */
export type ProductEdit = {
  title: string;
  color: string;
  description: string;
  priceCents: UsdCents;
  kinds: ProductKind[];
  finalSale: boolean;
  details: ProductDetails;
  images: EditedPicture[];
  /** All its sizes; `pieces` are put into stock of those that it has not had yet. */
  sizes: string[];
  pieces: Partial<Record<string, number>>;
  /** Draft: hidden. A moment: hidden until then. */
  shown: "draft" | "published" | Date;
};

/** `problems` stand beside the fields that they name. `since`: refused because of what others have done since the product was looked at. */
export type EditDone =
  | { ok: true; id: string; what: string }
  | { ok: false; problem: string; since?: Act[] }
  | { ok: false; problems: Record<string, string> };

export const GONE = { ok: false, problem: "This product is gone: somebody has deleted it" } as const;
export const PICTURE_GONE = {
  ok: false,
  problem: "A picture is not there any more: take it out and add it again",
} as const;

export type Plain = ReturnType<typeof plainly>;

/** A product as the audit log tells of it. */
export function plainly({ details, priceCents, images, sizes, pieces, shown, ...facts }: ProductEdit) {
  const { title, color, description, kinds, finalSale } = facts;
  return {
    title,
    color,
    description,
    price: dollars(priceCents),
    kinds,
    finalSale,
    details: Object.fromEntries(Object.entries(details).filter(([, text]) => text)) as ProductDetails,
    images: images.map(({ hash, alt, focus }): EditedPicture => ({ hash, alt, ...(focus && { focus }) })),
    sizes: sizes.toSorted(),
    ...(Object.keys(pieces).length > 0 && { pieces }),
    hidden: shown !== "published",
    ...(shown instanceof Date && { publishAt: shown.toISOString() }),
  };
}

/** What differs, on both sides. */
export function difference(before: Plain, after: Plain): { before: Partial<Plain>; after: Partial<Plain> } {
  const names = (Object.keys({ ...before, ...after }) as (keyof Plain)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const of = (side: Plain) => Object.fromEntries(names.map((name) => [name, side[name]]));
  return { before: of(before), after: of(after) };
}

/** What is written as it is. */
export function factsOf({ title, color, description, kinds, finalSale, details, hidden }: Partial<Plain>) {
  return { title, color, description, kinds, finalSale, details, hidden };
}

/** When it is shown by itself, if ever. */
export function momentOfShowing(shown: ProductEdit["shown"]): Date | null {
  return shown instanceof Date ? shown : null;
}
