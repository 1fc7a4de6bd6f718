import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { type ShippingTables, writeShippingRates } from "#app/shipping/document.server.ts";
import { reviewShippingNames } from "./shipping-names.ts";

const MANY = 10;
const FACTOR = 10;
/** A new rate that is this many times higher or lower than all others of its kind looks like a typing error. */
const FAR = 5;

type Side = Record<string, string>;
/**
 * A rate before and after an import. `name` includes the kind: "state Lagos". `fields` has the differences, keyed by
 * the place's name or, for a centre's details, by name and detail: "pickup Yaba, hours".
 */
type Change = {
  name: string;
  before?: string;
  after?: string;
  fields: { before: Side; after: Side };
  isDoubtful: boolean;
};
/** `freed`: states that would lose their rate, so that delivery to them would be free. */
export type ShippingPlan = {
  added: Change[];
  changed: Change[];
  dropped: Change[];
  unchanged: number;
  freed: string[];
};

/** Plans the replacement of all delivery rates by these. */
export async function planShipping(on: Db | Transaction, rates: ShippingTables): Promise<ShippingPlan> {
  const rows = await on.selectFrom("shippingRates").selectAll().orderBy("kind").orderBy("name").execute();
  const now = new Map(rows.map((row) => [nameOf(row), row]));
  const wanted = new Map(rates.map((rate) => [nameOf(rate), { ...rate, details: detailsOf(rate) }]));
  const plan: ShippingPlan = { added: [], changed: [], dropped: [], unchanged: 0, freed: freedBy(rows, rates) };
  for (const [name, rate] of wanted) {
    const known = now.get(name);
    const fields = differing(name, known, rate);
    if (!known) plan.added.push({ name, ...newRate(rate, rows), fields });
    else if (isDeepStrictEqual(fields.before, fields.after)) plan.unchanged++;
    else plan.changed.push({ name, ...changedRate(known, rate), fields });
  }
  for (const [name, row] of now)
    if (!wanted.has(name))
      plan.dropped.push({
        name,
        before: shown(row.rateCents),
        fields: differing(name, row, undefined),
        isDoubtful: true,
      });
  return plan;
}

type Named = readonly { kind: string; name: string }[];

function freedBy(before: Named, after: Named): string[] {
  const free = new Set(reviewShippingNames(before).statesWithoutRate);
  return reviewShippingNames(after).statesWithoutRate.filter((name) => !free.has(name));
}

type Rate = { rateCents: number; details: Side };

function newRate(rate: { kind: string; rateCents: number }, rows: { kind: string; rateCents: number }[]) {
  const others = rows.filter(({ kind, rateCents }) => kind === rate.kind && rateCents > 0);
  const doubt = doubtOfNew(
    rate.rateCents,
    others.map(({ rateCents }) => rateCents),
  );
  return { after: [shown(rate.rateCents), doubt].filter(Boolean).join(", "), isDoubtful: doubt !== undefined };
}

function doubtOfNew(rateCents: number, others: number[]): string | undefined {
  const [cheapest, dearest] = [Math.min(...others), Math.max(...others)];
  if (rateCents === 0) return "delivery for nothing";
  if (others.length === 0) return;
  if (rateCents > dearest * FAR) return `where the dearest other is ${shown(dearest)}`;
  if (rateCents * FAR < cheapest) return `where the cheapest other is ${shown(cheapest)}`;
  return;
}

function changedRate(known: Rate, { rateCents, details }: Rate) {
  const [low, high] = [known.rateCents, rateCents].sort((a, b) => a - b) as [number, number];
  const isDoubtful = rateCents === 0 || (low > 0 && high > low && high >= low * FACTOR);
  const names = new Set([...Object.keys(known.details), ...Object.keys(details)]);
  const others = [...names].filter((name) => known.details[name] !== details[name]);
  const after = [shown(rateCents), others.length > 0 && `other ${others.join(", ")}`].filter(Boolean).join(", ");
  return { before: shown(known.rateCents), after, isDoubtful };
}

function differing(name: string, before: Rate | undefined, after: Rate | undefined): Change["fields"] {
  const [was, then] = [before, after].map((rate) => (rate ? fieldsOf(name, rate) : {})) as [Side, Side];
  const only = (side: Side) => Object.fromEntries(Object.entries(side).filter(([field]) => was[field] !== then[field]));
  return { before: only(was), after: only(then) };
}

function fieldsOf(name: string, { rateCents, details }: Rate): Side {
  const named = Object.entries(details).map(([detail, text]) => [`${name}, ${detail}`, text] as const);
  return { [name]: shown(rateCents), ...Object.fromEntries(named) };
}

const detailsOf = ({ details }: { details: string }) => JSON.parse(details) as Side;
const nameOf = ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`;
const shown = (cents: number) => formatUsd(usdCents(cents));

/**
 * Whether a plan needs a confirmation: it removes rates, changes very many or one very much, adds one that is far from
 * the others, or makes delivery to a state free.
 */
export function isDoubtful({ added, changed, dropped, freed }: ShippingPlan): boolean {
  return changed.length > MANY || freed.length > 0 || [...added, ...changed, ...dropped].some((one) => one.isDoubtful);
}

/**
 * Replaces all delivery rates. `agreed` is the plan that the owner has seen: if the plan differs now, nothing is
 * changed.
 */
export async function importShipping(on: Db, by: Actor, rates: ShippingTables, agreed: ShippingPlan): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    await lockShippingRates(trx);
    const plan = await planShipping(trx, rates);
    if (!isDeepStrictEqual(plan, agreed)) throw new BadInput("The rates have changed, so nothing was imported");
    await carryOutShipping(trx, by, "shipping import", rates, plan);
  });
}

/** Locks the delivery rates while they are planned and written, so that changes run one after the other. */
export async function lockShippingRates(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7103305)`.execute(trx);
}

/** Writes the rates, and records the plan in the audit log. */
export async function carryOutShipping(
  trx: Transaction,
  by: Actor,
  action: "shipping import" | "shipping set",
  rates: ShippingTables,
  plan: ShippingPlan,
): Promise<void> {
  await writeShippingRates(trx, rates);
  const all = [...plan.added, ...plan.changed, ...plan.dropped];
  const of = (when: "before" | "after"): Side => Object.assign({}, ...all.map(({ fields }) => fields[when]));
  const subject = { kind: "shipping", id: "rates" };
  await recordChange(trx, { by, action, subject, before: of("before"), after: of("after") });
}
