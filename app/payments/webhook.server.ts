import { createHash } from "node:crypto";
import { db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { log } from "#app/infra/log.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import type { Payment } from "#app/orders/lifecycle.server.ts";
import { IS_UNFINISHED } from "#app/orders/refund-rows.server.ts";
import type { ProviderEvent } from "#app/payment-provider/contract.ts";
import { provider } from "./provider.server.ts";
import { wakeReconciler } from "./reconcile.server.ts";
import { inTraceOf } from "./trace.server.ts";

/**
 * Takes in what the provider sends. Nothing in it is believed but the reference: a payment is looked at again, soon.
 * Statuses: 200 once that is written down, 401 not signed by the provider, 400 unreadable, 503 send it again.
 */
export async function receiveWebhook(body: Uint8Array, signature: string | undefined): Promise<{ status: number }> {
  if (!provider.isSigned(body, signature)) return { status: 401 };
  const text = Buffer.from(body).toString("utf8");
  const event = provider.readEvent(text);
  if (!event) return { status: 400 };
  try {
    const on = db("checkout");
    const isUrgent = await inTraceOf(on, event.reference ?? "", `webhook ${event.name}`, () =>
      retryingTransaction(on, (trx) => takeIn(trx, event, text)),
    );
    if (isUrgent) wakeReconciler();
  } catch (error) {
    log.error({ err: error, event: event.name }, "a webhook could not be written down");
    return { status: 503 };
  }
  return { status: 200 };
}

type PaymentState = Payment["state"];
const addToInbox = statement(
  {
    takes: { bodyHash: sqlType.bytes, event: sqlType.text, reference: sqlType.text, body: sqlType.text },
    gives: { isNew: sqlType.bool, state: sqlType.orNull(sqlType.textOf<PaymentState>()), isForgotten: sqlType.bool },
  },
  `with taken as (
     insert into webhook_inbox (body_hash, event, reference, body) values (:bodyHash, :event, :reference, :body)
     on conflict do nothing returning 1
   )
   select exists (select from taken) as is_new, payments.state, email is not distinct from '${NOBODY}' as is_forgotten
   from (values (:reference)) as asked(reference)
   left join payments using (reference) left join orders on orders.id = order_id`,
);

/**
 * A refund that has not ended is looked at, else the payment, which is watched as from its start; unless it is `done` by now: a settlement may be at it
 * in this moment.
 */
const lookAgain = statement(
  { takes: { reference: sqlType.text, done: sqlType.textList<PaymentState>() }, gives: {} },
  `with refund as (
     update refunds set next_try_at = now() where reference = :reference and ${IS_UNFINISHED} returning 1
   )
   update payments set next_check_at = now(), webhook_at = now(), checks = 0
   where reference = :reference and state <> all(:done) and not exists (select from refund)`,
);

/** True when a payment is to be looked at now. What is of no concern, or of a customer who is deleted, is kept without what it says. */
async function takeIn(
  trx: Transaction,
  { name, about, reference = "" }: ProviderEvent,
  text: string,
): Promise<boolean> {
  const isOfConcern = about !== "other";
  const bodyHash = createHash("sha256").update(text).digest();
  const [added] = await addToInbox(trx, { bodyHash, event: name, reference, body: isOfConcern ? text : "{}" });
  if (!added?.isNew) return false;
  if (added.isForgotten)
    await trx.updateTable("webhookInbox").set({ body: "{}" }).where("bodyHash", "=", bodyHash).execute();
  if (!isOfConcern) {
    log.info({ event: name }, "a webhook of no concern");
    return false;
  }
  if (!added.state) {
    await recordIssue(trx, reference, "unknown-reference", { event: name });
    return false;
  }
  if (about === "dispute") await recordIssue(trx, reference, "dispute", { event: name });
  const isSettled = added.state === "paid" || added.state === "refused";
  if (about === "paid" && isSettled) return false;
  await lookAgain(trx, { reference, done: about === "paid" ? ["paid", "refused"] : [] });
  return true;
}
