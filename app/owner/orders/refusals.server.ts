import type { Db } from "#app/infra/database/db.server.ts";

export type PaymentRefusal = { reference: string; words: string; attempt: number; heardAt: Date };

/** Why attempts to pay were declined, oldest first. */
export function refusalsOf(on: Db, references: string[]): Promise<PaymentRefusal[]> {
  return on
    .selectFrom("paymentRefusals")
    .select(["reference", "words", "attempt", "heardAt"])
    .where("reference", "in", references.length > 0 ? references : [""])
    .orderBy("heardAt")
    .orderBy("attempt")
    .execute();
}
