import type { Filters } from "#app/catalog/filter/filters.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { listAndCountCards, listCards, listCardsOfAnyWord } from "../catalog.server.ts";
import type { ProductCard } from "../product.ts";
import { respell } from "./spelling.ts";
import { KNOWN_WORDS, searchWords } from "./words.ts";

export type Found = {
  found: ProductCard[];
  total: number;
  /** What was looked for in the place of a search of which a word is misspelled. */
  instead?: string;
  /** Where nothing was found: a search that finds something, and products that come near. */
  suggestion?: string;
  near: ProductCard[];
};

/** A row of them. */
const NEAR = 4;

/** The first `most` products that fit, and how many fit in all. Never nothing: where none fits, those that come near. */
export async function findCards(on: Db, filters: Filters, most: number): Promise<Found> {
  const fitting = await listAndCountCards(on, filters, most);
  if (fitting.total > 0) return { ...fitting, near: [] };
  const { search } = filters;
  const guess = search === undefined ? undefined : respell(searchWords(search), await knownWords(on));
  if (guess?.isNear) {
    const respelled = await listAndCountCards(on, { ...filters, search: guess.search }, most);
    if (respelled.total > 0) return { ...respelled, instead: guess.search, near: [] };
  }
  return { found: [], total: 0, ...(await findNear(on, search, guess?.search)) };
}

async function findNear(on: Db, search: string | undefined, guessed: string | undefined) {
  const meant = guessed ?? search;
  const fitting = meant ? await listCards(on, { search: meant }, NEAR) : [];
  const near = new Map(fitting.map((card) => [card.id, card]));
  const add = (cards: ProductCard[]) => cards.forEach((card) => void near.set(card.id, card));
  if (meant && near.size < NEAR) add(await listCardsOfAnyWord(on, meant, NEAR));
  if (near.size < NEAR) add(await listCards(on, {}, NEAR));
  return { suggestion: fitting.length > 0 ? guessed : undefined, near: [...near.values()].slice(0, NEAR) };
}

async function knownWords(on: Db): Promise<Set<string>> {
  const rows = await on.selectFrom("searchWords").select("word").execute();
  return new Set([...KNOWN_WORDS, ...rows.map(({ word }) => word)]);
}
