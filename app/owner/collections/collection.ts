import type { CollectionRule, ProductImage } from "#db/types.ts";

/** The longest id, which is the end of a collection's address, in characters. */
export const ID_MAX = 60;
export const NAME_MAX = 60;
export const WORDS_MAX = 300;
export const MOST_COLLECTIONS = 500;
/** The most products of one collection. */
export const MOST_PRODUCTS = 500;
/** The longest time, in days, for which a rule counts products as new. */
export const MOST_DAYS = 365;

/**
 * What an owner sets of a collection, besides its products. `place`: its place among all collections, from 1 on. The
 * shop shows it from `startsAt` until before `endsAt`; without them at once, and without an end.
 */
export type CollectionWish = {
  name: string;
  words: string;
  rule: CollectionRule | null;
  hidden: boolean;
  place: number;
  picture?: ProductImage;
  startsAt?: Date;
  endsAt?: Date;
};

export type Showing = "hidden" | "planned" | "shown" | "over";
type Dates = { startsAt?: Date | null; endsAt?: Date | null };

/** Whether the shop shows a collection at this time. */
export function showingAt({ hidden, startsAt, endsAt }: Dates & { hidden: boolean }, now: Date): Showing {
  if (hidden) return "hidden";
  if (endsAt && endsAt <= now) return "over";
  return startsAt && startsAt > now ? "planned" : "shown";
}

/** A picture of the store: the rest of its data is read there. */
export type PictureWish = Pick<ProductImage, "hash" | "alt" | "focus">;

/**
 * A collection as commands read it. `products`: the ids of the products that were put in, in their order.
 * Without `place`, a collection stays where it is, and a new one comes last.
 */
export type CollectionDocument = Omit<CollectionWish, "place" | "picture"> & {
  id: string;
  place?: number;
  picture?: PictureWish;
  products: string[];
};
