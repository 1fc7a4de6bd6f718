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
  type Destination,
  nameOf,
  PICKUP_DETAILS,
  type PickupCenter,
  type PickupDetails,
  type ShippingRates,
} from "./shipping.ts";
import { KNOWN_STATES, stateNamed } from "./state-names.ts";

const englishNames = new Intl.DisplayNames("en", { type: "region" });
const { compare } = new Intl.Collator("en");
const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);
const selectRates = statement(
  {
    takes: {},
    gives: {
      kind: sqlType.textOf<"state" | "pickup" | "country">(),
      name: sqlType.text,
      rateCents: sqlType.int,
      details: sqlType.json<Record<string, string>>(),
    },
  },
  "select kind, name, rate_cents, details from shipping_rates",
);
const allRates: (on: Db | Transaction) => ReturnType<typeof selectRates> = batched((on) => selectRates(on));

/** All that can be chosen at checkout: states under the names of the owner's table, and the others of Nigeria. */
export async function loadShippingRates(on: Db | Transaction): Promise<ShippingRates> {
  const rows = await allRates(on);
  if (rows.length === 0) log.info({}, "No such document!");
  const of = (kind: string) =>
    rows.filter((row) => row.kind === kind).map((row) => ({ ...row, rateCents: usdCents(row.rateCents) }));
  const rated = of("state").map(({ name, rateCents }) => ({ name, rateCents }));
  const unrated = KNOWN_STATES.filter((name) => !stateNamed(rated, name));
  const ofUnrated = rated.length > 0 ? usdCents(0) : undefined;
  return {
    states: [...rated, ...unrated.map((name) => ({ name, rateCents: ofUnrated }))].sort(byName),
    pickups: of("pickup")
      .map(({ name, rateCents, details }) => ({ name, rateCents, ...pickupDetails(details) }))
      .sort(byName),
    countries: of("country")
      .map(({ name: code, rateCents }) => ({ code, name: englishNames.of(code) ?? code, rateCents }))
      .sort(byName),
  };
}

function pickupDetails(details: Record<string, string>): PickupDetails {
  const [state = "", address = "", landmark = "", hours = "", bring = ""] = PICKUP_DETAILS.map((name) => details[name]);
  return { state, address, landmark, hours, bring };
}

/** A center as it is now, by the name in an order; undefined where the owner has it no more. */
export async function pickupCenter(on: Db | Transaction, name: string): Promise<PickupCenter | undefined> {
  if (!name) return;
  return (await loadShippingRates(on)).pickups.find((center) => center.name === name);
}

/**
 * What delivering there costs; undefined where the shop does not deliver. A state for which the owner has set no rate counts as 0, and the owner is
 * told; but not while no state has one.
 */
export async function shippingCents(on: Db | Transaction, destination: Destination): Promise<UsdCents | undefined> {
  const kind = destination.kind === "home" ? "state" : destination.kind === "pickup" ? "pickup" : "country";
  const name = nameOf(destination);
  const rates = (await allRates(on)).filter((one) => one.kind === kind);
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

/** Fills an empty shop with the demo's rates; changes nothing otherwise. */
export async function seedShipping(on: Db): Promise<void> {
  if (await hasShippingRates(on)) return;
  await on
    .insertInto("shippingRates")
    .values(demoRates.map(({ details, ...rate }) => ({ ...rate, details: JSON.stringify(details) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether the owner has set delivery rates: there are some, and they are not simply the demo's. */
export async function hasOwnShippingRates(trx: Transaction): Promise<boolean> {
  const sorted = (rates: typeof demoRates) => rates.toSorted((a, b) => compare(a.kind + a.name, b.kind + b.name));
  const rates = await trx.selectFrom("shippingRates").selectAll().execute();
  return rates.length > 0 && !isDeepStrictEqual(sorted(rates), sorted(demoRates));
}
