import type { Actor } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { NO_ADDRESS, NOBODY, queueMail } from "#app/infra/mail.server.ts";
import type { RefundReason } from "#app/orders/issue-kind.ts";
import type { Order, Payment } from "#app/orders/lifecycle.server.ts";
import { orderMail, placeMail, refundMail, sentMail } from "#app/orders/mail-data.ts";
import { isPaidByHand } from "#app/orders/refund-rows.server.ts";
import { numbersOf } from "#app/orders/returns/numbers.server.ts";
import { trackingUrlOf } from "#app/shipping/carriers/carriers.server.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";
import { changeOrder } from "./change.server.ts";
import { lockKnownOrder } from "./lookup.server.ts";
import { MAIL_NAMES, type OrderMailKind } from "./mail-kinds.ts";
import type { Done } from "./orders.server.ts";

/**
 * Sends a mail about an order again, to its current address. The text is generated anew, because the first one is not
 * stored. `key`, a UUID from the form, makes a request that is sent twice send one mail.
 */
export function resendOrderMail(
  on: Db,
  by: Actor,
  reference: string,
  { kind, key, seen }: { kind: OrderMailKind; key: string; seen?: string },
): Promise<Done> {
  return changeOrder(
    on,
    by,
    "orders resend",
    reference,
    seen,
  )(async (trx): Promise<Done> => {
    const known = await lockKnownOrder(trx, reference);
    const data = known && (await dataOf(trx, kind, known));
    if (!known || !data) return { ok: false, problem: `There's nothing to say yet in an email '${MAIL_NAMES[kind]}'` };
    const { id, email: recipient } = known.order;
    if (recipient === NO_ADDRESS) return { ok: false, problem: "The customer has given no email address" };
    if (recipient === NOBODY) return { ok: false, problem: "Its shopper's data has been deleted" };
    const isNew = await queueMail(trx, { key: `again:${id}:${key}`, recipient, kind, data });
    return { ok: true, what: `the mail '${MAIL_NAMES[kind]}' goes out again`, ...(!isNew && { isRepeat: true }) };
  });
}

/** The data of the mail. Undefined if the event of the mail has not happened. */
async function dataOf(trx: Transaction, kind: OrderMailKind, { order, payment }: { order: Order; payment: Payment }) {
  const { reference } = payment;
  if (kind === "refund-started" || kind === "refund-done") {
    const refund = await trx
      .selectFrom("refunds")
      .selectAll()
      .where("reference", "=", reference)
      .where("state", "in", kind === "refund-done" ? ["done"] : ["open", "sent"])
      .orderBy("createdAt", "desc")
      .executeTakeFirst();
    if (!refund) return;
    const sum = { amount: Number(refund.kobo), currency: payment.paidCurrency ?? "NGN" };
    const isPart = sum.amount < Number(payment.paidKobo ?? payment.kobo);
    const reason = kind === "refund-started" ? (refund.reason as RefundReason) : undefined;
    const data = refundMail(order, reference, sum, reason, env.publicUrl, isPart ? refund : undefined);
    const toPayer = payment.payerEmail !== null || undefined;
    return { ...data, isByHand: await isPaidByHand(trx, reference), numbers: await numbersOf(trx, reference), toPayer };
  }
  const sale = await trx.selectFrom("sales").selectAll().where("reference", "=", reference).executeTakeFirst();
  const center = await pickupCenter(trx, order.shipping.pickupCenter);
  if (!sale) return;
  if (kind === "order-confirmation") {
    const isPaidByOther = payment.payerEmail !== null || undefined;
    return { ...orderMail(order, reference, env, center, sale.createdAt, Number(sale.kobo)), isPaidByOther };
  }
  if (kind === "order-address" || kind === "order-size") return placeMail(order, reference, env, center);
  if (kind === "order-ready") return sale.readyAt ? placeMail(order, reference, env, center) : undefined;
  if (!sale.fulfilledAt) return;
  const { carrier, tracking, createdAt: orderedAt, fulfilledAt: sentAt } = sale;
  const trackingUrl = await trackingUrlOf(trx, sale);
  return sentMail(order, reference, { carrier, tracking, trackingUrl, orderedAt, sentAt }, env, center);
}
