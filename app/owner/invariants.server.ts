import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Fault, FaultQuery } from "./faults/fault.ts";
import { issueFaults } from "./faults/issues.server.ts";
import { type LedgerEntry, ledgerFaults } from "./faults/ledger.server.ts";
import { MAIL_FAULTS, PAYMENT_FAULTS, REFUND_FAULTS } from "./faults/money.server.ts";
import { RETURN_FAULTS } from "./faults/returns.server.ts";
import { STOCK_FAULTS } from "./faults/stock.server.ts";
import { rateFaults } from "./missing-rates.server.ts";

/** The faults that the database shows by itself. */
export const FAULT_QUERIES: FaultQuery[] = [
  ...STOCK_FAULTS,
  ...PAYMENT_FAULTS,
  ...REFUND_FAULTS,
  ...RETURN_FAULTS,
  ...MAIL_FAULTS,
];

const PATIENCE = "10min";

/** Everything that is wrong between stock, orders, payments and mails; with the provider's ledger (tests have the sandbox's), also where that is another one. */
export async function checkInvariants(on: Db | Transaction, ledger?: LedgerEntry[]): Promise<Fault[]> {
  const queries = FAULT_QUERIES.map(
    ({ rule, todo, rows }) =>
      sql`select ${rule}::text as rule, "where"::text, what::text, ${todo}::text as todo from (${rows}) as faults`,
  );
  const rows = await retryingTransaction(on, async (trx) => {
    // It reads every table, and may exceed a visitor's time limit; with JIT it takes longer still.
    await sql`select set_config('statement_timeout', ${PATIENCE}, true), set_config('jit', 'off', true)`.execute(trx);
    return (await sql<Fault>`${sql.join(queries, sql` union all `)}`.execute(trx)).rows;
  });
  const faults = [
    ...rows,
    ...(await issueFaults(on)),
    ...(env.paystack.live ? await rateFaults(on) : []), // in the demo they are there, or do not matter
    ...(ledger ? await ledgerFaults(on, ledger) : []),
  ];
  return faults.map((fault) => ({ ...fault, todo: fault.todo.replaceAll("WHERE", fault.where) }));
}
