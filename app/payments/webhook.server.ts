import { createHash } from "node:crypto";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { log } from "#app/infra/log.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { recordIssue, recordUnknownReference } from "#app/orders/issues.server.ts";
import type { Payment } from "#app/orders/lifecycle.server.ts";
import { IS_UNFINISHED } from "#app/orders/refund-rows.server.ts";
import type { ProviderEvent } from "#app/payment-provider/contract.ts";
import { providerOf } from "#app/providers/registry.server.ts";
import { wakeReconciler } from "./reconcile.server.ts";
import { inTraceOf } from "./trace.server.ts";

/**
 * Accepts a webhook of a provider, about payments of that provider alone. Only its reference is trusted: it makes the
 * payment due for a check. Statuses: 200 if stored, 401 if not signed by the provider, 400 if unreadable, 503 if the
 * provider must send it again.
 */
export async function receiveWebhook(
  provider: string,
  body: Uint8Array,
  signature: string | undefined,
): Promise<{ status: number }> {
  const { webhook } = providerOf(provider);
  if (!webhook?.isSigned(body, signature)) return { status: 401 };
  const text = Buffer.from(body).toString("utf8");
  const read = webhook.readEvent(text);
  if (!read) return { status: 400 };
  const event = { ...read, provider };
  try {
    const on = db("checkout");
    const isUrgent = await inTraceOf(
      on,
      event.reference ?? "",
      `webhook ${event.name}`,
      async () => (await takeInUsual(on, event, text)) ?? retryingTransaction(on, (trx) => takeIn(trx, event, text)),
    );
    if (isUrgent) wakeReconciler();
  } catch (error) {
    log.error({ err: error, event: event.name }, "a webhook could not be written down");
    return { status: 503 };
  }
  return { status: 200 };
}

type Event = ProviderEvent & { provider: string };
const EVENT_COLUMNS = {
  provider: sqlType.text,
  bodyHash: sqlType.bytes,
  event: sqlType.text,
  reference: sqlType.text,
  body: sqlType.text,
};

const takeInPaid = statement(
  {
    takes: EVENT_COLUMNS,
    gives: { isUrgent: sqlType.bool },
  },
  `with payment as (
     select asked.reference from payments asked join orders on orders.id = order_id
     where asked.reference = :reference and asked.provider = :provider and email <> '${NOBODY}'
       and asked.payer_email is distinct from '${NOBODY}'
       and not exists (select from refunds where refunds.reference = :reference and ${IS_UNFINISHED})
   ), taken as (
     insert into webhook_inbox (body_hash, event, reference, body)
     select :bodyHash, :event, reference, :body from payment
     on conflict do nothing returning reference
   ), looked as (
     update payments set next_check_at = now(), webhook_at = now(), checks = 0 from taken
     where payments.reference = taken.reference and payments.state not in ('paid', 'refused') returning 1
   )
   select exists (select from looked) as is_urgent from payment`,
);

/**
 * The same as `takeIn` in one statement, for the usual case: a success of a known payment whose buyer is not deleted
 * and that has no unfinished refund. Undefined in any other case, or if the statement failed: nothing is stored then.
 */
async function takeInUsual(
  on: Db,
  { provider, name, about, reference }: Event,
  text: string,
): Promise<boolean | undefined> {
  if (about !== "paid" || reference === undefined) return;
  const asked = { provider, bodyHash: hashOf(text), event: name, reference, body: text };
  const [taken] = await takeInPaid(on, asked).catch((error) => {
    if (error.severity === "ERROR") return []; // such as a deadlock; `takeIn` then retries
    throw error;
  });
  return taken?.isUrgent;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest();

type PaymentState = Payment["state"];
const addToInbox = statement(
  {
    takes: EVENT_COLUMNS,
    gives: { isNew: sqlType.bool, state: sqlType.orNull(sqlType.textOf<PaymentState>()), isForgotten: sqlType.bool },
  },
  `with taken as (
     insert into webhook_inbox (body_hash, event, reference, body) values (:bodyHash, :event, :reference, :body)
     on conflict do nothing returning 1
   )
   select exists (select from taken) as is_new, payments.state, 
     '${NOBODY}' in (email, coalesce(payer_email, '')) as is_forgotten
   from (values (:reference, :provider)) as asked(reference, provider)
   left join payments using (reference, provider) left join orders on orders.id = order_id`,
);

/**
 * Makes the unfinished refund of a payment due, or else the payment, with its checks starting over. A payment in one of
 * the states `done` is left alone, as a settlement may have just ended it.
 */
const makeDue = statement(
  { takes: { reference: sqlType.text, done: sqlType.textList<PaymentState>() }, gives: {} },
  `with refund as (
     update refunds set next_try_at = now() where reference = :reference and ${IS_UNFINISHED} returning 1
   )
   update payments set next_check_at = now(), webhook_at = now(), checks = 0
   where reference = :reference and state <> all(:done) and not exists (select from refund)`,
);

/**
 * Stores a webhook. Returns true if its payment or refund is to be checked now. The body is not stored if the event
 * does not concern the shop, or concerns a deleted customer.
 */
async function takeIn(
  trx: Transaction,
  { provider, name, about, reference = "", dueAt }: Event,
  text: string,
): Promise<boolean> {
  const isOfConcern = about !== "other";
  const bodyHash = hashOf(text);
  const [added] = await addToInbox(trx, {
    provider,
    bodyHash,
    event: name,
    reference,
    body: isOfConcern ? text : "{}",
  });
  if (!added?.isNew) return false;
  if (added.isForgotten)
    await trx.updateTable("webhookInbox").set({ body: "{}" }).where("bodyHash", "=", bodyHash).execute();
  if (!isOfConcern) {
    log.info({ event: name }, "a webhook of no concern");
    return false;
  }
  if (!added.state) {
    await recordUnknownReference(trx, reference, provider, { event: name });
    return false;
  }
  if (about === "dispute") await recordIssue(trx, reference, "dispute", { event: name, dueAt });
  const isSettled = added.state === "paid" || added.state === "refused";
  if (about === "paid" && isSettled) return false;
  await makeDue(trx, { reference, done: about === "paid" ? ["paid", "refused"] : [] });
  return true;
}
