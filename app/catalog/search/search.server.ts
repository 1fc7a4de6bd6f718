import type { Filters } from "#app/catalog/filter/filters.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { listAndCountCards, listCards, listCardsOfAnyWord } from "../catalog.server.ts";
import type { ProductCard } from "../product.ts";
import { respell } from "./spelling.ts";
import { KNOWN_WORDS, searchWords } from "./words.ts";

/** What fits; `instead`: what was looked for in the place of a search of which a word is misspelled. */
type Fitting = { found: ProductCard[]; total: number; instead?: string };
/** Where nothing fits, products that come near, and a search that finds something, where one can be guessed. */
export type Found = Fitting & { near: ProductCard[]; suggestion?: string };

/** A row of them. */
const NEAR = 4;

/** The first `most` products that fit, and how many fit in all. Never nothing: where none fits, those that come near. */
export async function findCards(on: Db, filters: Filters, most: number): Promise<Found> {
  const { guess, ...fitting } = await findFitting(on, filters, most);
  return fitting.total > 0 ? { ...fitting, near: [] } : { ...fitting, ...(await findNear(on, filters.search, guess)) };
}

/** The first `most` products that a search finds. */
export async function suggestCards(on: Db, filters: Filters, most: number): Promise<ProductCard[]> {
  return (await findFitting(on, filters, most)).found;
}

/** `guess`: what a search that finds nothing probably means. */
async function findFitting(on: Db, filters: Filters, most: number): Promise<Fitting & { guess?: string }> {
  const fitting = await listAndCountCards(on, filters, most);
  if (fitting.total > 0 || filters.search === undefined) return fitting;
  const guess = respell(searchWords(filters.search), await knownWords(on));
  if (!guess?.isNear) return { ...fitting, guess: guess?.search };
  const respelled = await listAndCountCards(on, { ...filters, search: guess.search }, most);
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

async function knownWords(on: Db): Promise<Set<string>> {
  const rows = await on.selectFrom("searchWords").select("word").execute();
  return new Set([...KNOWN_WORDS, ...rows.map(({ word }) => word)]);
}
