import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { db, type Transaction, transact } from "#app/infra/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { noteBreak } from "./breaks.server.ts";
import { isSigned } from "./paystack.server.ts";
import { wakeTending } from "./reconcile.server.ts";

/**
 * Takes in what the provider sends. Nothing in it is believed but the reference: a payment is looked at again, soon.
 * Statuses: 200 once that is written down, 401 not signed by the provider, 400 unreadable, 503 send it again.
 */
export async function receiveWebhook(body: Uint8Array, signature: string | undefined): Promise<{ status: number }> {
  if (!isSigned(body, signature)) return { status: 401 };
  const text = Buffer.from(body).toString("utf8");
  const event = readEvent(text);
  if (!event) return { status: 400 };
  try {
    await transact(db("checkout"), (trx) => takeIn(trx, event, text));
  } catch (error) {
    log.error({ err: error, event: event.name }, "a webhook could not be written down");
    return { status: 503 };
  }
  wakeTending();
  return { status: 200 };
}

type Event = { name: string; reference: string | undefined };

const shape = z.object({
  event: z.string(),
  data: z
    .object({
      reference: z.string().optional(),
      transaction_reference: z.string().optional(), // refunds
      transaction: z.object({ reference: z.string() }).optional().catch(undefined), // disputes
    })
    .catch({}),
});

function readEvent(text: string): Event | undefined {
  try {
    const { event, data } = shape.parse(JSON.parse(text));
    return { name: event, reference: data.transaction?.reference ?? data.transaction_reference ?? data.reference };
  } catch {
    return undefined;
  }
}

async function takeIn(trx: Transaction, { name, reference = "" }: Event, text: string): Promise<void> {
  const taken = await trx
    .insertInto("webhookInbox")
    .values({
      bodyHash: createHash("sha256").update(text).digest(),
      event: name,
      reference,
      body: text,
      doneAt: sql`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) return;
  if (!/^(charge|refund)\./.test(name)) return log.info({ event: name }, "a webhook of no concern");
  const known = await trx.selectFrom("payments").select("state").where("reference", "=", reference).executeTakeFirst();
  if (!known) return noteBreak(trx, reference, "unknown-reference", { event: name });
  if (name.startsWith("charge.dispute.")) await noteBreak(trx, reference, "dispute", { event: name });
  if (name === "charge.success" && (known.state === "paid" || known.state === "refused")) return;
  await lookAgain(trx, reference, known.state === "refused");
}

async function lookAgain(trx: Transaction, reference: string, refused: boolean): Promise<void> {
  const refund = await trx
    .updateTable("refunds")
    .set({ nextTryAt: sql`now()` })
    .where("reference", "=", reference)
    .where("state", "in", ["open", "sent"])
    .executeTakeFirst();
  if (refused || refund.numUpdatedRows > 0n) return;
  await trx.updateTable("payments").set({ nextCheckAt: sql`now()` }).where("reference", "=", reference).execute();
}
