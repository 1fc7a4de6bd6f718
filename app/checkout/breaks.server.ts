import type { Db, Transaction } from "#app/infra/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import type { BreakKind } from "./break-kind.ts";

/** Writes down what a person must look at; each kind once for a reference. `npm run shop -- check` lists them. */
export async function noteBreak(
  on: Db | Transaction,
  reference: string,
  kind: BreakKind,
  details: Record<string, unknown> = {},
): Promise<void> {
  await on
    .insertInto("reconciliationBreaks")
    .values({ reference, kind, details: JSON.stringify(details) })
    .onConflict((conflict) => conflict.columns(["reference", "kind"]).doNothing())
    .execute();
  log.warn({ reference, kind, details }, "a payment to be looked at");
}

/** What was noted is being mended. Should it happen again, a person is told again. */
export async function forgetBreak(on: Db | Transaction, reference: string, kind: BreakKind): Promise<void> {
  await on.deleteFrom("reconciliationBreaks").where("reference", "=", reference).where("kind", "=", kind).execute();
}
