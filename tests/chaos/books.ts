import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
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

// The shop's books are held against its own rules, against the provider's books, and against what buyers were told.

/** A rule of the shop that does not hold, or a promise of the test that was not kept. */
export type Broken = Pick<Fault, "rule" | "what" | "where">;
export type Promised = { reference: string; outcome: Settlement["outcome"] };

export const SETTLED_WITHIN = 120 * SECOND;

/** What goes wrong at the provider with one payment. */
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

/** Every charge has come to a sale or is on its way back; then the time of all reservations runs out, and no stock is held any more. */
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

/** Between stock, orders and payments, and at rest with the provider; `units` were there to be sold of the product. */
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
  return broken.filter(({ rule }) => rule !== "I13"); // money that came too late is what a person looks at
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

/** I14: what a buyer was told is so. */
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
