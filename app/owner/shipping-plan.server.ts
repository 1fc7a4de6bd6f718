import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { type ShippingTables, writeShippingRates } from "#app/shipping/document.server.ts";

const MANY = 10;
const FACTOR = 10;

/** A rate before and after an import; its name has its kind, as "state Lagos". */
type Change = { name: string; before?: string; after?: string; isDoubtful: boolean };
export type ShippingPlan = { added: Change[]; changed: Change[]; dropped: Change[]; unchanged: number };

/** What becomes of the delivery rates when these stand in their place. */
export async function planShipping(on: Db | Transaction, rates: ShippingTables): Promise<ShippingPlan> {
  const rows = await on.selectFrom("shippingRates").selectAll().orderBy("kind").orderBy("name").execute();
  const now = new Map(rows.map((row) => [nameOf(row), row]));
  const wanted = new Map(rates.map((rate) => [nameOf(rate), rate]));
  const plan: ShippingPlan = { added: [], changed: [], dropped: [], unchanged: 0 };
  for (const [name, { rateCents, details }] of wanted) {
    const known = now.get(name);
    const after = shown(rateCents);
    if (!known) plan.added.push({ name, after, isDoubtful: false });
    else if (known.rateCents === rateCents && isDeepStrictEqual(known.details, JSON.parse(details))) plan.unchanged++;
    else {
      const [low, high] = [known.rateCents, rateCents].sort((a, b) => a - b) as [number, number];
      const isDoubtful = rateCents === 0 || (low > 0 && high > low && high >= low * FACTOR);
      const place = known.rateCents === rateCents ? ", another address" : "";
      plan.changed.push({ name, before: shown(known.rateCents), after: after + place, isDoubtful });
    }
  }
  for (const [name, { rateCents }] of now)
    if (!wanted.has(name)) plan.dropped.push({ name, before: shown(rateCents), isDoubtful: true });
  return plan;
}

const nameOf = ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`;
const shown = (cents: number) => formatUsd(usdCents(cents));

/** Rates are removed, or very many change, or one changes very much. */
export function isDoubtful({ changed, dropped }: ShippingPlan): boolean {
  return changed.length > MANY || [...changed, ...dropped].some((one) => one.isDoubtful);
}

/** Puts the rates in the place of all that were there; `agreed` is the plan that somebody has seen, and any other one ends it with nothing done. */
export async function importShipping(on: Db, by: Actor, rates: ShippingTables, agreed: ShippingPlan): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    await lockShippingRates(trx);
    const plan = await planShipping(trx, rates);
    if (!isDeepStrictEqual(plan, agreed)) throw new BadInput("The rates have changed meanwhile: nothing was imported");
    await carryOutShipping(trx, by, "shipping import", rates, plan);
  });
}

/** Held while rates are planned and written: one change at a time. */
export async function lockShippingRates(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7103305)`.execute(trx);
}

/** Writes the rates, and down what `plan` says of them. */
export async function carryOutShipping(
  trx: Transaction,
  by: Actor,
  action: "shipping import" | "shipping set",
  rates: ShippingTables,
  plan: ShippingPlan,
): Promise<void> {
  await writeShippingRates(trx, rates);
  const all = [...plan.added, ...plan.changed, ...plan.dropped];
  const of = (when: "before" | "after") =>
    Object.fromEntries(all.flatMap((one) => (one[when] === undefined ? [] : [[one.name, one[when]]])));
  const subject = { kind: "shipping", id: "rates" };
  await recordChange(trx, { by, action, subject, before: of("before"), after: of("after") });
}
