import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { z } from "zod";
import { dollarsField } from "#app/catalog/documents/fields.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { fold } from "#app/infra/text/fold.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";
import { dollarText, usdCents } from "#app/money/money.ts";
import { readWhole } from "#app/money/typed-number.ts";
import { allCountries } from "#app/shipping/document.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { NIGERIA } from "#app/shipping/shipping.ts";
import { ALL_NIGERIA } from "#app/shipping/ways/ways.ts";
import { type Stale, stale } from "../stale.ts";
import { placeKey } from "./rates.ts";
import { MOST_DAYS, MOST_PLACES, MOST_WAYS, type StoredWay, WAY_NAME_MAX, type WayWish } from "./ways.ts";

const DAYS_RULE = `A whole number from 0 to ${MOST_DAYS}`;
const days = z
  .union([z.string().transform((text) => readWhole(text)), z.number()], DAYS_RULE)
  .pipe(z.int(DAYS_RULE).min(0, DAYS_RULE).max(MOST_DAYS, DAYS_RULE));

/** The fields of a way, as the office's form and the command's file have them. */
export const WAY_FIELDS = {
  name: z
    .string()
    .transform((text) => storableText(text).trim())
    .refine((text) => text !== "", "Give it a name")
    .refine((text) => text.length <= WAY_NAME_MAX, `At most ${WAY_NAME_MAX} letters`)
    .refine(isPlainLine, "Only letters and numbers, in one line"),
  places: z.array(z.string().max(200)).max(MOST_PLACES).default([]),
  dollars: dollarsField("a price in dollars, like 12.50"),
  fromDays: days,
  toDays: days,
  orderBy: z
    .string()
    .trim()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, "A time like 14:00, or nothing")
    .default(""),
};
type Given = z.infer<z.ZodObject<typeof WAY_FIELDS>>;

/** The way that was typed, with each place once. */
export function wishOf({ dollars, places, ...given }: Given): WayWish {
  return { ...given, rateCents: dollars, places: [...new Set(places)].sort() };
}

/** All ways of delivery beside the standard one, by name. */
export async function deliveryWays(on: Db | Transaction): Promise<StoredWay[]> {
  return on
    .selectFrom("deliveryWays")
    .select(["id", "name", "places", "rateCents", "fromDays", "toDays", "orderBy", "active", "version"])
    .orderBy(sql`fold(name)`)
    .execute();
}

/** Every place that a way can serve, as [its key, its name], with all of Nigeria first. */
export async function placesForWays(on: Db | Transaction): Promise<[key: string, name: string][]> {
  const { states, countries } = await loadShippingRates(on);
  return [
    [ALL_NIGERIA, `All of ${NIGERIA.name}`],
    ...states.map(({ name }): [string, string] => [placeKey({ kind: "state", name }), name]),
    ...countries.map(({ code, name }): [string, string] => [placeKey({ kind: "country", name: code }), name]),
  ];
}

/** The names of a way's places in one line. */
export function placesLine(places: readonly string[]): string {
  const countries = new Map(allCountries().map(({ code, name }) => [`country ${code}`, name]));
  const named = (place: string) =>
    place === ALL_NIGERIA ? `all of ${NIGERIA.name}` : (countries.get(place) ?? place.replace(/^(state|country) /, ""));
  return places.map(named).join(", ");
}

/** `problems`: what is wrong, by field. */
export type WaySaved =
  | { ok: true; id: string; version: number }
  | Stale<{ version: number }>
  | { ok: false; problems: Record<string, string> };

/**
 * Adds a way of delivery, which stays off until it is switched on, or changes the one with the id `of.id`, if its
 * version is still `of.seen`. Safe to repeat. Throws a BadInput if there is no such way.
 */
export function saveWay(on: Db, by: Actor, wish: WayWish, of?: { id: string; seen: number }): Promise<WaySaved> {
  return retryingTransaction(on, (trx) => write(trx, by, wish, of));
}

async function write(
  trx: Transaction,
  by: Actor,
  wish: WayWish,
  of: { id: string; seen: number } | undefined,
): Promise<WaySaved> {
  const all = await lockWays(trx);
  const stored = of && known(all, of.id);
  const twin = all.find((one) => one.id !== of?.id && fold(one.name) === fold(wish.name));
  if (!of && twin && isDeepStrictEqual(wishIn(twin), wish)) return { ok: true, id: twin.id, version: twin.version };
  if (stored && isDeepStrictEqual(wishIn(stored), wish)) return { ok: true, id: stored.id, version: stored.version };
  if (stored && stored.version !== of.seen) return stale({ version: stored.version });
  const problems = await problemsOf(trx, wish, { isNew: !of, twin: twin !== undefined, count: all.length, stored });
  if (problems) return { ok: false, problems };
  const id = stored ? stored.id : await insert(trx, wish);
  const version = (stored?.version ?? 0) + 1;
  if (stored)
    await trx
      .updateTable("deliveryWays")
      .set({ ...wish, version })
      .where("id", "=", id)
      .execute();
  const before = stored && loggedValues(wishIn(stored));
  await recordChange(trx, {
    by,
    action: "delivery-ways set",
    subject: { kind: "delivery-way", id },
    before,
    after: loggedValues(wish),
  });
  return { ok: true, id, version };
}

/**
 * Sets ways of delivery by their names: adds those that are new, which stay off, and changes the others. All of them
 * or, if one can't be, none: it then throws a BadInput.
 */
export function setWays(on: Db, by: Actor, wishes: WayWish[]): Promise<void> {
  const twice = wishes.find(({ name }, at) => wishes.findIndex((one) => fold(one.name) === fold(name)) < at);
  if (twice) throw new BadInput(`The way “${twice.name}” is there twice`);
  return retryingTransaction(on, async (trx) => {
    for (const wish of wishes) {
      const stored = (await lockWays(trx)).find(({ name }) => fold(name) === fold(wish.name));
      const done = await write(trx, by, wish, stored && { id: stored.id, seen: stored.version });
      if ("problems" in done) throw new BadInput(`“${wish.name}”: ${Object.values(done.problems).join(". ")}`);
    }
  });
}

/** Switches a way on or off for the checkout. Orders that were made with it keep it. Safe to repeat. */
export function switchWay(on: Db, by: Actor, id: string, active: boolean): Promise<StoredWay> {
  return retryingTransaction(on, async (trx) => {
    const stored = known(await lockWays(trx), id);
    if (stored.active === active) return stored;
    await trx.updateTable("deliveryWays").set({ active }).where("id", "=", stored.id).execute();
    const values = { before: { active: stored.active }, after: { active } };
    await recordChange(trx, {
      by,
      action: "delivery-ways switch",
      subject: { kind: "delivery-way", id: stored.id },
      ...values,
    });
    return { ...stored, active };
  });
}

async function insert(trx: Transaction, wish: WayWish): Promise<string> {
  return (await trx.insertInto("deliveryWays").values(wish).returning("id").executeTakeFirstOrThrow()).id;
}

/** All ways. Nobody else adds or changes one before the transaction ends. */
async function lockWays(trx: Transaction): Promise<StoredWay[]> {
  await sql`lock table delivery_ways in share row exclusive mode`.execute(trx);
  return deliveryWays(trx);
}

function known(all: StoredWay[], id: string): StoredWay {
  const stored = all.find((one) => one.id === id);
  if (!stored) throw new BadInput("There’s no such way of delivery");
  return stored;
}

function wishIn({ id: _, active: __, version: ___, ...wish }: StoredWay): WayWish {
  return wish;
}

type Situation = { isNew: boolean; twin: boolean; count: number; stored: StoredWay | undefined };

/** Error messages by field; undefined if there are none. A place that the way already has needs no rate. */
async function problemsOf(trx: Transaction, wish: WayWish, { isNew, twin, count, stored }: Situation) {
  const offered = new Map([...(await placesForWays(trx)), ...(stored?.places ?? []).map((key) => [key, key] as const)]);
  const strange = wish.places.filter((place) => !offered.has(place));
  const problems: Record<string, string> = {};
  if (fold(wish.name) === fold("Standard")) problems.name = "The present delivery has this name: give it another";
  if (twin) problems.name = "Another way has this name";
  if (isNew && count >= MOST_WAYS) problems.name = `At most ${MOST_WAYS} ways`;
  if (wish.places.length === 0) problems.places = "Choose at least one place";
  if (strange.length > 0) problems.places = `The rates have no ${strange.join(", ")}`;
  if (wish.toDays < wish.fromDays) problems.toDays = "Not less than the first number";
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** A way's values as the audit log has them. */
function loggedValues({ places, rateCents, ...values }: WayWish) {
  return { ...values, dollars: dollarText(usdCents(rateCents)), places: placesLine(places) };
}
