import { getCountries } from "libphonenumber-js";
import { z } from "zod";
import { dollarsField } from "#app/catalog/documents/fields.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { dollars, usdCents } from "#app/money/money.ts";

const rate = dollarsField("a rate in dollars, like 12.50");
const details = z
  .object({ state: z.string(), address: z.string(), landmark: z.string(), hours: z.string(), bring: z.string() })
  .partial();

/**
 * The specification's document Shopping/Shipping. Rates are in dollars. For a pick-up centre it may also give the
 * address, the opening hours and what to bring.
 */
const document = z.looseObject({
  Nigeria: z.object({
    homeDelivery: z.object({ states: z.record(z.string().min(1), rate) }),
    pickup: z.object({ locations: z.record(z.string().min(1), z.object({ rate }).extend(details.shape)) }),
  }),
});
/**
 * Every other key is a country's English name or ISO 3166 alpha-2 code. The rate may be the value itself or, as for a
 * pick-up centre, a property of an object.
 */
const countries = z.record(
  z.string().min(1),
  z
    .unknown()
    .transform((given) => (typeof given === "object" && given !== null && "rate" in given ? given.rate : given))
    .pipe(rate),
);

export type ShippingTables = {
  kind: "state" | "pickup" | "country";
  name: string;
  rateCents: number;
  details: string;
}[];

/** Throws a ZodError if the document is invalid. */
export function readShippingDocument(given: unknown): ShippingTables {
  const { Nigeria, ...others } = document.parse(given);
  const centres = Object.entries(Nigeria.pickup.locations);
  return [
    ...Object.entries(Nigeria.homeDelivery.states).map(([name, cents]) => row("state", name, cents)),
    ...centres.map(([name, { rate: cents, ...where }]) => row("pickup", name, cents, where)),
    ...Object.entries(countries.parse(others)).map(([name, cents]) => row("country", countryCode(name), cents)),
  ];
}

const englishNames = new Intl.DisplayNames("en", { type: "region" });

/** The ISO 3166 alpha-2 code of a country, given by its code or English name. */
export function countryCodeOf(given: string): string | undefined {
  return getCountries().find((one) => one === given || englishNames.of(one) === given);
}

/** Every country, sorted by its English name. */
export function allCountries(): { code: string; name: string }[] {
  return getCountries()
    .map((code) => ({ code, name: englishNames.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function countryCode(given: string): string {
  const code = countryCodeOf(given);
  if (code) return code;
  const message = `'${given}' is no country: give its English name, like Ghana, or its code, like GH`;
  throw new z.ZodError([{ code: "custom", path: [given], message, input: given }]);
}

function row(
  kind: ShippingTables[number]["kind"],
  name: string,
  rateCents: number,
  where = {},
): ShippingTables[number] {
  return { kind, name, rateCents, details: JSON.stringify(where) };
}

/** Replaces all stored rates. */
export async function writeShippingRates(trx: Transaction, rates: ShippingTables): Promise<void> {
  await trx.deleteFrom("shippingRates").execute();
  if (rates.length > 0) await trx.insertInto("shippingRates").values(rates).execute();
}

export async function shippingDocument(on: Db) {
  const rows = await on.selectFrom("shippingRates").selectAll().orderBy("name").execute();
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  const dollarsOf = ({ rateCents }: { rateCents: number }) => dollars(usdCents(rateCents));
  const byName = (kind: string) => Object.fromEntries(of(kind).map((one) => [one.name, dollarsOf(one)]));
  const centres = of("pickup").map((one) => [one.name, { rate: dollarsOf(one), ...one.details }]);
  return {
    Nigeria: { homeDelivery: { states: byName("state") }, pickup: { locations: Object.fromEntries(centres) } },
    ...Object.fromEntries(of("country").map((one) => [englishNames.of(one.name) ?? one.name, dollarsOf(one)])),
  };
}
