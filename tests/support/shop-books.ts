import { createDb, createPool } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { LedgerEntry } from "#app/owner/faults/ledger.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { ownerUrl, type RunningShop } from "./running-shop.ts";

/**
 * The faults between a running shop's tables, and between these tables and what the provider has charged and refunded.
 */
export async function faultsIn(shop: RunningShop): Promise<string[]> {
  const db = createDb(createPool({ url: ownerUrl(shop), max: 1, name: "test books" }));
  try {
    const faults = await checkInvariants(db, await ledgerOf(shop));
    // Sales that a test has written into the tables were never paid.
    const isReal = ({ where }: { where: string }) => !where.startsWith("past-sale-");
    return faults.filter(isReal).map(({ rule, where, what }) => `${rule} ${where}: ${what}`);
  } finally {
    await db.destroy();
  }
}

type Charge = { id: number; reference: string; status: string; amount: number; currency: string };
type Refund = { transaction: number; amount: number; status: string };

/** What the provider has charged and refunded for each payment, in kobo. */
export async function ledgerOf({ sandboxUrl }: RunningShop): Promise<LedgerEntry[]> {
  const list = async <One>(path: string): Promise<One[]> => {
    const headers = { authorization: `Bearer ${env.paystack.secretKey}` };
    const answer = await fetch(`${sandboxUrl}${path}?perPage=100`, { headers });
    return ((await answer.json()) as { data: One[] }).data;
  };
  const [charges, refunds] = await Promise.all([list<Charge>("/transaction"), list<Refund>("/refund")]);
  return charges.map(({ id, reference, status, amount, currency }) => {
    const back = refunds.filter((one) => one.transaction === id && one.status !== "failed");
    const refundedKobo = back.reduce((sum, one) => sum + one.amount, 0);
    return { reference, status, kobo: amount, currency, refundedKobo };
  });
}
