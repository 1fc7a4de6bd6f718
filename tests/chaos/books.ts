import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { normalPriceSql, priceAtSql } from "#app/catalog/prices/in-force.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { LIVE_STATES } from "#app/orders/state.ts";
import type { Fault } from "#app/owner/faults/fault.ts";
import type { LedgerEntry } from "#app/owner/faults/ledger.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import type { Settlement } from "#app/payments/outcomes.ts";
import type { Faults } from "../../sandbox/faults.ts";
import type { Sandbox } from "../../sandbox/main.ts";
import type { Chances } from "./random.ts";

// The shop's books are compared with its own rules, with the provider's books, and with what buyers were told.

/** A rule of the shop that does not hold, or something that a buyer was told and that is not true. */
export type Broken = Pick<Fault, "rule" | "what" | "where">;
export type Promised = { reference: string; outcome: Settlement["outcome"] };

export const SETTLED_WITHIN = 120 * SECOND;

/** Faults of the provider for one payment, by chance. */
export function someFaults({ chance }: Chances): Faults {
  if (chance(10)) return { webhook: { times: 3, concurrent: true } };
  if (chance(10)) return { webhook: { never: true } };
  if (chance(5)) return { webhook: { delayMs: 5 * SECOND } };
  if (chance(5)) return { verify: { kind: "5xx", times: 2 } };
  return {};
}

export function chargedReferences({ ledger }: Sandbox): string[] {
  return [...ledger.transactions.values()].filter(({ paidAt }) => paidAt).map(({ reference }) => reference);
}

/**
 * Waits until every charge has become a sale or is being refunded. Then lets all reservations run out, and waits until
 * no stock is reserved.
 */
export async function everythingSettled(db: Db, sandbox: Sandbox): Promise<void> {
  await until(() => areSettled(db, chargedReferences(sandbox)));
  await db.updateTable("orders").set({ expiresAt: sql`now()` }).where("state", "in", LIVE_STATES).execute();
  await db.updateTable("payments").set({ nextCheckAt: sql`now()` }).where("nextCheckAt", "is not", null).execute();
  await until(async () => (await liveAttempts(db)) === 0);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 2 * SETTLED_WITHIN;
  while (performance.now() < deadline && !(await holds())) await sleep(200);
}

async function areSettled(db: Db, charged: string[]): Promise<boolean> {
  const { rows } = await sql<{ settled: number }>`
    select count(*)::int as settled from payments
    where reference = any(${charged}) and state in ('paid', 'refused')`.execute(db);
  return rows[0]?.settled === charged.length;
}

async function liveAttempts(db: Db): Promise<number> {
  return (await db.selectFrom("orders").select("id").where("state", "in", LIVE_STATES).execute()).length;
}

/**
 * Checks stock, orders and payments against each other and, with `sandbox`, against the provider's books. `units` of
 * the product were for sale.
 */
export async function checkBooks(
  db: Db,
  { product, units }: { product: string; units: number },
  sandbox?: Sandbox,
): Promise<Broken[]> {
  const broken: Broken[] = await checkInvariants(db, sandbox && entriesOf(sandbox));
  const size = await db
    .selectFrom("productSizes")
    .selectAll()
    .where("productId", "=", product)
    .executeTakeFirstOrThrow();
  if (size.sold > units) broken.push({ rule: "I1", what: "oversold", where: product });
  return broken.filter(({ rule }) => rule !== "I13"); // I13: money that came too late, for a person to look into
}

/** What was on offer for a product: an offer for so many orders in all. The sale prices are in the database. */
export type OnOffer = { product: string; offer: number; percent: number; uses: number };

/**
 * The start of the transaction that made an order, in SQL. Its first payment has this time; the order's own is taken
 * later, once the cart is locked.
 */
const BEGUN = "(select min(created_at) from payments where order_id = orders.id)";

/**
 * Checks that each order has the price that was in force when it began, less the offer's percentage if it has taken a
 * use of the offer, and that no more orders were sold with the offer than it has uses. Counts the orders at a sale price
 * and those with the offer.
 */
export async function checkPrices(
  db: Db,
  { product, offer, percent, uses }: OnOffer,
): Promise<{ broken: Broken[]; onSale: number; withOffer: number }> {
  type Row = { where: string; full: number; normal: number; inForce: number; cents: number; hasOffer: boolean };
  const { rows } = await sql<Row>`
    select orders.number as where, (line ->> 'priceCents')::int as cents,
      coalesce((line ->> 'fullCents')::int, (line ->> 'priceCents')::int) as full,
      ${normalPriceSql()} as normal, ${sql.raw(priceAtSql(BEGUN))} as in_force,
      exists (select from offer_uses u where u.order_id = orders.id and u.offer_id = ${offer}) as has_offer
    from orders cross join jsonb_array_elements(lines) line
      join products on products.id = line ->> 'productId'
    where products.id = ${product}`.execute(db);
  const broken = rows.flatMap(({ where, full, inForce, cents, hasOffer }): Broken[] => {
    const due = hasOffer ? full - Math.ceil((full * percent) / 100) : full;
    if (full === inForce && cents === due) return [];
    const what = `costs ${cents} of ${full} cents, with the offer: ${hasOffer}; in force were ${inForce}`;
    return [{ rule: "F20", what, where }];
  });
  const sold = await sql<{ reference: string }>`
    select reference from sales join offer_uses using (order_id) where offer_id = ${offer}`.execute(db);
  if (sold.rows.length > uses)
    broken.push({ rule: "F20", what: `${sold.rows.length} sold with ${uses} uses of an offer`, where: product });
  const count = (counts: (row: Row) => boolean) => rows.filter(counts).length;
  return {
    broken,
    onSale: count(({ full, normal }) => full < normal),
    withOffer: count(({ hasOffer }) => hasOffer),
  };
}

function entriesOf({ ledger }: Sandbox): LedgerEntry[] {
  return [...ledger.transactions.values()].map((transaction) => ({
    reference: transaction.reference,
    status: transaction.status,
    kobo: transaction.amount,
    currency: transaction.currency,
    refundedKobo: ledger.refundedOf(transaction),
  }));
}

/** I14: what a buyer was told is true. */
export async function checkPromises(db: Db, promises: Promised[]): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const { reference, outcome } of promises) {
    const sale = await db.selectFrom("sales").select("id").where("reference", "=", reference).executeTakeFirst();
    const refund = await db.selectFrom("refunds").select("id").where("reference", "=", reference).executeTakeFirst();
    const kept = outcome === "sold" ? sale && !refund : outcome === "refunding" ? refund && !sale : true;
    if (!kept) broken.push({ rule: "I14", what: `told '${outcome}', and it is not so`, where: reference });
  }
  return broken;
}
