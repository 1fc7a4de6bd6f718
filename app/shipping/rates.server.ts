import { isDeepStrictEqual } from "node:util";
import type { Selectable } from "kysely";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { log } from "#app/infra/log.server.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import demo from "#db/demo/shipping.json" with { type: "json" };
import type { Database } from "#db/types.ts";
import {
  type DeliveryWay,
  type Destination,
  nameOf,
  PICKUP_DETAILS,
  type PickupCenter,
  type PickupDetails,
  type ShippingRates,
} from "./shipping.ts";
import { KNOWN_STATES, stateNamed } from "./state-names.ts";
import { wayTo } from "./ways/ways.ts";

const englishNames = new Intl.DisplayNames("en", { type: "region" });
const { compare } = new Intl.Collator("en");
const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);

type StoredRate = {
  kind: "state" | "pickup" | "country";
  name: string;
  rateCents: number;
  details: Record<string, string>;
};
/** The rates that the owner has set, and all choices at checkout. */
export type Rates = { stored: readonly StoredRate[]; offered: ShippingRates };

/** A subquery that gives all of the owner's rates and active ways as one JSON text, which `ratesIn` parses. */
export const RATES_AS_TEXT = `(
  select coalesce(json_agg(json_build_array(kind, name, rate_cents, details)), '[]')::text from (
    select kind, name, rate_cents, details from shipping_rates
    union all select 'way', name, rate_cents, jsonb_build_object('id', id::text, 'places', places, 'fromDays', from_days,
      'toDays', to_days, 'orderBy', order_by) from delivery_ways where active
  ) as every_rate)`;

let last: { text: string; rates: Rates } | undefined;

/** Parses the rates of `RATES_AS_TEXT`. The result is cached until the text changes. */
export function ratesIn(text: string): Rates {
  if (last?.text !== text) last = { text, rates: arrange(text) };
  return last.rates;
}

function arrange(text: string): Rates {
  type RateRow = [StoredRate["kind"], string, number, Record<string, string>];
  type WayRow = ["way", string, number, Omit<DeliveryWay, "name" | "rateCents">];
  const rows = JSON.parse(text) as (RateRow | WayRow)[];
  const stored = rows.flatMap(([kind, name, rateCents, details]) =>
    kind === "way" ? [] : [{ kind, name, rateCents, details }],
  );
  const ways = rows
    .flatMap((row) => (row[0] === "way" ? [{ ...row[3], name: row[1], rateCents: usdCents(row[2]) }] : []))
    .sort((a, b) => a.rateCents - b.rateCents || byName(a, b));
  const of = (kind: string) =>
    stored.filter((row) => row.kind === kind).map((row) => ({ ...row, rateCents: usdCents(row.rateCents) }));
  const rated = of("state").map(({ name, rateCents }) => ({ name, rateCents }));
  const unrated = KNOWN_STATES.filter((name) => !stateNamed(rated, name));
  const ofUnrated = rated.length > 0 ? usdCents(0) : undefined;
  const offered = {
    states: [...rated, ...unrated.map((name) => ({ name, rateCents: ofUnrated }))].sort(byName),
    pickups: of("pickup")
      .map(({ name, rateCents, details }) => ({ name, rateCents, ...pickupDetails(details) }))
      .sort(byName),
    countries: of("country")
      .map(({ name: code, rateCents }) => ({ code, name: englishNames.of(code) ?? code, rateCents }))
      .sort(byName),
    ...(ways.length > 0 && { ways }),
  };
  for (const list of Object.values(offered)) Object.freeze(list); // frozen, as all callers share them
  return { stored, offered };
}

const selectRates = statement({ takes: {}, gives: { rates: sqlType.text } }, `select ${RATES_AS_TEXT} as rates`);
export const readRates: (on: Db | Transaction) => Promise<Rates> = batched(async (on) => {
  const [row] = await selectRates(on);
  return ratesIn(row?.rates ?? "[]");
});

/** The offered rates. Logs the specification's message if the owner has set none. */
export function offeredIn({ stored, offered }: Rates): ShippingRates {
  if (stored.length === 0) log.info({}, "No such document!");
  return offered;
}

/** All choices at checkout. States have the owner's names; states without a rate of the owner are included. */
export async function loadShippingRates(on: Db | Transaction): Promise<ShippingRates> {
  return offeredIn(await readRates(on));
}

function pickupDetails(details: Record<string, string>): PickupDetails {
  const [state = "", address = "", landmark = "", hours = "", bring = ""] = PICKUP_DETAILS.map((name) => details[name]);
  return { state, address, landmark, hours, bring };
}

/** The current details of the pick-up centre that an order names. Undefined if it no longer exists. */
export async function pickupCenter(on: Db | Transaction, name: string): Promise<PickupCenter | undefined> {
  if (!name) return;
  return (await loadShippingRates(on)).pickups.find((center) => center.name === name);
}

/**
 * The price of delivery to a place, with the way of this id or, if it is absent or "", with the standard one. Undefined
 * if the shop does not deliver there, or not in this way.
 */
export function shippingCentsIn({ stored, offered }: Rates, destination: Destination, way = ""): UsdCents | undefined {
  const standard = standardCentsIn(stored, destination);
  return way && standard !== undefined ? wayTo(destination, offered, way)?.rateCents : standard;
}

/**
 * The rate of a place. If the owner has set rates for some states, delivery to any other state costs 0; while no state
 * has one, nothing ships to any state. Each missing rate is logged.
 */
function standardCentsIn(stored: Rates["stored"], destination: Destination): UsdCents | undefined {
  const kind = destination.kind === "home" ? "state" : destination.kind === "pickup" ? "pickup" : "country";
  const name = nameOf(destination);
  const rates = stored.filter((one) => one.kind === kind);
  const rate = kind === "state" ? stateNamed(rates, name) : rates.find((one) => one.name === name);
  if (rate) return usdCents(rate.rateCents);
  log.warn({ destination }, "No such document! There is no shipping rate");
  return kind === "state" && rates.length > 0 ? usdCents(0) : undefined;
}

const plain = (kind: "state" | "country", rates: Record<string, number>) =>
  Object.entries(rates).map(([name, rateCents]) => ({ kind, name, rateCents, details: {} }));
const demoRates: Selectable<Database["shippingRates"]>[] = [
  ...plain("state", demo.states),
  ...plain("country", demo.countries),
  ...demo.pickups.map(({ name, rateCents, ...details }) => ({ kind: "pickup" as const, name, rateCents, details })),
];

export async function hasShippingRates(on: Db | Transaction): Promise<boolean> {
  const any = await on.selectFrom("shippingRates").select("name").limit(1).executeTakeFirst();
  return any !== undefined;
}

/** Stores the demo's rates if there are none at all. */
export async function seedShipping(on: Db): Promise<void> {
  if (await hasShippingRates(on)) return;
  await on
    .insertInto("shippingRates")
    .values(demoRates.map(({ details, ...rate }) => ({ ...rate, details: JSON.stringify(details) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether the owner has set delivery rates that differ from the demo's. */
export async function hasOwnShippingRates(trx: Transaction): Promise<boolean> {
  const sorted = (rates: typeof demoRates) => rates.toSorted((a, b) => compare(a.kind + a.name, b.kind + b.name));
  const rates = await trx.selectFrom("shippingRates").selectAll().execute();
  return rates.length > 0 && !isDeepStrictEqual(sorted(rates), sorted(demoRates));
}
