import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { backupFaults } from "./backups.server.ts";
import type { Fault, FaultQuery } from "./faults/fault.ts";
import { issueFaults } from "./faults/issues.server.ts";
import { type LedgerEntry, ledgerFaults } from "./faults/ledger.server.ts";
import { BY_HAND_FAULTS, MAIL_FAULTS, PAYMENT_FAULTS, REFUND_FAULTS } from "./faults/money.server.ts";
import { RECEIPT_FAULTS } from "./faults/receipts.server.ts";
import { RETURN_FAULTS } from "./faults/returns.server.ts";
import { STOCK_FAULTS } from "./faults/stock.server.ts";
import { rateFaults } from "./missing-rates.server.ts";
import { trialFaults } from "./trial/start.server.ts";

/** The faults that can be found in the database alone. */
export const FAULT_QUERIES: FaultQuery[] = [
  ...STOCK_FAULTS,
  ...PAYMENT_FAULTS,
  ...REFUND_FAULTS,
  ...BY_HAND_FAULTS,
  ...RETURN_FAULTS,
  ...MAIL_FAULTS,
  ...RECEIPT_FAULTS,
];

/** Leaves out the orders of a trial, which were ended without being completed. */
const IS_COUNTED = sql`"where" not in (
  select reference from payments join orders on orders.id = order_id where trial
  union all select returns.number from returns join payments using (reference) join orders on orders.id = order_id where trial)`;

const PATIENCE = "10min";

/**
 * All inconsistencies between stock, orders, payments and mails. With a `ledger` of the provider (in tests the
 * sandbox's), also the differences from it.
 */
export async function checkInvariants(on: Db | Transaction, ledger?: LedgerEntry[]): Promise<Fault[]> {
  const queries = FAULT_QUERIES.map(
    ({ rule, todo, rows }) =>
      sql`select ${rule}::text as rule, "where"::text, what::text, ${todo}::text as todo from (${rows}) as faults where ${IS_COUNTED}`,
  );
  const rows = await retryingTransaction(on, async (trx) => {
    // The query reads every table, so it may take longer than the usual timeout. JIT compilation would make it slower.
    await sql`select set_config('statement_timeout', ${PATIENCE}, true), set_config('jit', 'off', true)`.execute(trx);
    return (await sql<Fault>`${sql.join(queries, sql` union all `)}`.execute(trx)).rows;
  });
  const faults = [
    ...rows,
    ...(await issueFaults(on)),
    // Checked with live keys only: the demo has rates of its own, and needs no backups.
    ...(env.live ? [...(await rateFaults(on)), ...(await trialFaults(on)), ...(await backupFaults(on))] : []),
    ...(ledger ? await ledgerFaults(on, ledger) : []),
  ];
  return faults.map((fault) => ({ ...fault, todo: fault.todo.replaceAll("WHERE", fault.where) }));
}
