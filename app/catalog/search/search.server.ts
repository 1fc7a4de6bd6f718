import { sql } from "kysely";
import { familiesOf } from "#app/catalog/filter/color-words.server.ts";
import { type Filters, readFilters } from "#app/catalog/filter/filters.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import type { ProductKind } from "#db/types.ts";
import {
  listAndCountCards,
  listCards,
  listCardsOfAnyWord,
  listColors,
  listIds,
  type Part,
  type Wanted,
  type WantedCollection,
} from "../catalog.server.ts";
import type { ProductCard } from "../product.ts";
import { respell } from "./spelling.ts";
import { KNOWN_WORDS, searchWords, singular } from "./words.ts";

/**
 * The products that match. `instead` is the corrected search, if the original one had a misspelled word and found
 * nothing.
 */
type Fitting = { found: ProductCard[]; total: number; instead?: string };
/** If nothing matches: similar products, and a suggested search that has results, if one can be guessed. */
export type Found = Fitting & { near: ProductCard[]; suggestion?: string };

/** The number of similar products: one row. */
const NEAR = 4;

/** A collection, or with `kind` all products of a kind. */
type Collection = Omit<WantedCollection, "colorNames"> & { kind?: ProductKind | null };
type Asked = Filters & Pick<Wanted, "byModel">;

/**
 * A part of the matching products, or models, and their total number. If none match, similar products are returned.
 * With `collection`, only its products match.
 */
export async function findCards(on: Db, filters: Asked, part: Part, collection?: Collection): Promise<Found> {
  const wanted = await withColorNames(on, filters, collection);
  const { guess, ...fitting } = await findFitting(on, wanted, part);
  return fitting.total > 0 || part.after > 0
    ? { ...fitting, near: [] }
    : { ...fitting, ...(await findNear(on, filters.search, guess)) };
}

/** The ids of the first `most` products that the shop shows in a collection. */
export async function idsInCollection(on: Db, collection: Collection, most: number): Promise<string[]> {
  return listIds(on, await allOf(on, collection), most);
}

/** The first `most` products that the shop shows in a collection, with the fields of a list. */
export async function cardsInCollection(on: Db, collection: Collection, most: number): Promise<ProductCard[]> {
  return listCards(on, await allOf(on, collection), most);
}

const allOf = (on: Db, collection: Collection) => withColorNames(on, readFilters(new URLSearchParams()), collection);

/** The filters and the collection with the names of the colours in their families. */
async function withColorNames(on: Db, filters: Asked, collection?: Collection): Promise<Wanted> {
  const ofRule = collection?.rule?.colors;
  const names = filters.colors.length > 0 || ofRule ? await listColors(on) : [];
  const namesIn = (chosen: readonly string[]) =>
    names.filter((name) => familiesOf(name).some((family) => chosen.includes(family)));
  return {
    ...filters,
    ...(filters.colors.length > 0 && { colorNames: namesIn(filters.colors) }),
    ...(collection?.kind
      ? { kind: collection.kind }
      : collection && { collection: { ...collection, ...(ofRule && { colorNames: namesIn(ofRule) }) } }),
  };
}

/** The first `most` products that a search finds, for suggestions while typing. */
export async function suggestCards(on: Db, filters: Wanted, most: number): Promise<ProductCard[]> {
  return (await findFitting(on, filters, { after: 0, most })).found;
}

/** `guess`: the probable meaning of a search without results. */
async function findFitting(on: Db, filters: Wanted, part: Part): Promise<Fitting & { guess?: string }> {
  const fitting = await listAndCountCards(on, filters, part);
  if (fitting.total > 0 || filters.search === undefined) return fitting;
  const guess = respell(searchWords(filters.search), await knownWords(on));
  if (!guess?.isNear) return { ...fitting, guess: guess?.search };
  const respelled = await listAndCountCards(on, { ...filters, search: guess.search }, part);
  return respelled.total > 0 ? { ...respelled, instead: guess.search } : { ...fitting, guess: guess.search };
}

async function findNear(on: Db, search?: string, guess?: string) {
  const meant = guess ?? search;
  const fitting = meant ? await listCards(on, { search: meant }, NEAR) : [];
  const near = new Map(fitting.map((card) => [card.id, card]));
  const add = (cards: ProductCard[]) => cards.forEach((card) => void near.set(card.id, card));
  if (meant && near.size < NEAR) add(await listCardsOfAnyWord(on, meant, NEAR));
  if (near.size < NEAR) add(await listCards(on, {}, NEAR));
  return { suggestion: fitting.length > 0 ? guess : undefined, near: [...near.values()].slice(0, NEAR) };
}

/** Words of visible products only: a suggestion must not reveal hidden ones. */
async function knownWords(on: Db): Promise<Set<string>> {
  const { rows } = await sql<{ word: string }>`
    select word from search_words where word in (
      select regexp_split_to_table(fold(title || ' ' || color), '[ 0-9]+') from products where not hidden
    )`.execute(on);
  const ofKinds = knownKinds().flatMap(({ name }) => searchWords(name).map(singular));
  return new Set([...KNOWN_WORDS, ...ofKinds, ...rows.map(({ word }) => word)]);
}
