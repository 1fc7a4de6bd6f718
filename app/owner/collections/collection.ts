import type { CollectionRule } from "#db/types.ts";

/** The longest id, which is the end of a collection's address, in characters. */
export const ID_MAX = 60;
export const NAME_MAX = 60;
export const WORDS_MAX = 300;
export const MOST_COLLECTIONS = 500;
/** The most products of one collection. */
export const MOST_PRODUCTS = 500;

/** What an owner sets of a collection, besides its products. `place`: its place among all collections, from 1 on. */
export type CollectionWish = {
  name: string;
  words: string;
  rule: CollectionRule | null;
  hidden: boolean;
  place: number;
};
