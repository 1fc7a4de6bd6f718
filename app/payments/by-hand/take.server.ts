import { sql } from "kysely";
import { addTaking, cashRounding, orderPaidWith } from "#app/by-hand/book.server.ts";
import { MEANS_NAMES, type Means } from "#app/by-hand/means.ts";
import { type CashRounding, sumToTake } from "#app/by-hand/rounding.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { intervalSql } from "#app/infra/database/statement.server.ts";
import { emailedText } from "#app/infra/mail.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { claimForAccount } from "#app/orders/claim/claim.server.ts";
import { lockOrder } from "#app/orders/lifecycle.server.ts";
import { isLive } from "#app/orders/state.ts";
import { providerOf } from "#app/providers/registry.server.ts";
import { waitBefore } from "../check-schedule.ts";
import { settleOpened } from "../links/pay.server.ts";
import { newReference } from "../open.server.ts";
import type { Settlement } from "../outcomes.ts";
import { checkUnopenedNow } from "../refunds/cancel.server.ts";
import { settlePayment } from "../settle.server.ts";

/**
 * Money that a member of staff has taken for an order. `kobo` is the sum that was taken. `by` names the member.
 * `formKey`: the id of the form; the same form is one taking, however often it is sent.
 */
export type TakenByHand = {
  means: Means;
  kobo: number;
  bankReference?: string;
  by: string;
  formKey?: string;
};

/** The result in words for staff. `field`: the form's field with the wrong value. */
type Result =
  | { ok: true; what: string; isRepeat?: true; recorded?: object }
  | { ok: false; problem: string; field?: "naira" | "bankReference" };
type Work = (trx: Transaction) => Promise<Result>;

/**
 * Records that an order that staff put together has been paid by hand, and settles that payment like any other: it
 * makes the same sale. The provider is first asked about the payments that the customer has opened by the link. If the
 * order turns out to be paid there, too, there is one sale, and the money that was taken by hand is to be given back.
 * `reference` is any of the order's payments. `inTransaction` runs the work in a transaction, or refuses it.
 */
export async function takeByHand<Refusal = never>(
  on: Db,
  reference: string,
  taken: TakenByHand,
  inTransaction: (work: Work) => Promise<Refusal | Result> = (work) => retryingTransaction(on, work),
): Promise<Refusal | Result> {
  const order = await findOrder(on, reference);
  if (!order) return no(`There’s no order with the reference '${reference}'`);
  const before = await takenBefore(on, order.id);
  if (before) return isSame(before, taken) ? settled(on, before.reference, taken) : alreadyTaken(before);
  const why = notPayable(order) ?? wrongWith(order, taken, await cashRounding(on)) ?? (await notNow(on, order.id));
  if (why) return why;
  const own = newReference();
  const done = await inTransaction((trx) => recordTaking(trx, reference, own, taken));
  if (isDone(done) && !done.isRepeat) return settled(on, own, taken);
  const atOnce = await takenBefore(on, order.id); // the same form, which was sent twice at once
  return atOnce && isSame(atOnce, taken) ? settled(on, atOnce.reference, taken) : done;
}

function isDone<Refusal>(done: Refusal | Result): done is Extract<Result, { ok: true }> {
  return (done as Result).ok;
}

const IS_OVER = sql<boolean>`(orders.expires_at <= now())`;
const BY_STAFF = sql<boolean>`exists (select from staff_orders where order_id = orders.id)`;

/** The order of this payment, with the mode in which it was put together. Undefined if there is none. */
function findOrder(on: Db | Transaction, reference: string) {
  return on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select(["orders.id", "orders.number", "orders.state", "orders.kobo", "payments.mode"])
    .select([IS_OVER.as("isOver"), BY_STAFF.as("byStaff")])
    .where("payments.reference", "=", reference)
    .executeTakeFirst();
}

type Found = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

function notPayable({ number, state, isOver, byStaff, mode }: Found): Result | undefined {
  if (!byStaff) return no(`${number} comes from the checkout. Its customer pays it there`);
  if (state !== "released" && !isLive(state)) return no(`${number} is already paid`);
  const isTrialOver = mode !== providerOf("cash").mode(); // it was put together before the shop took real money
  return isOver || state === "released" || isTrialOver ? over(number) : undefined;
}

function over(number: string): Result {
  return no(`${number} is over, and its items can be bought by others. Put it together again`);
}

function missingReference({ means, bankReference }: TakenByHand): Result | undefined {
  if (means !== "transfer" || bankReference) return;
  return no("Write the transfer’s reference, as your bank shows it", "bankReference");
}

/** Cash may be the order's sum or that rounded down, since what was taken is written down. */
function wrongWith(order: Found, taken: TakenByHand, rounding: CashRounding): Result | undefined {
  const sum = Number(order.kobo);
  const due = sumToTake(sum, taken.means, rounding);
  if (taken.kobo !== sum && taken.kobo !== due) {
    const [asked, rounded, typed] = [sum, due, taken.kobo].map((one) => formatKobo(kobo(one)));
    const costs = due < sum ? `${asked}, in cash ${rounded}` : asked;
    return no(`${order.number} costs ${costs}, and ${typed} isn’t that`, "naira");
  }
  return missingReference(taken);
}

/**
 * Why the money can't be recorded now: the provider of the link has a payment under way, or gives no answer. A payment
 * that has been made there becomes the sale, and what was taken by hand is a second charge.
 */
async function notNow(on: Db, orderId: string): Promise<Result | undefined> {
  const opened = await settleOpened(on, orderId);
  if (opened?.problem === "awaited")
    return no("The customer’s own payment by the link is under way. Wait until it has arrived or failed");
  if (opened?.problem === "unavailable")
    return no("The customer has opened the link, and the provider can’t be asked whether it’s paid. Try again");
  return;
}

type Before = { reference: string; form: string | null; kobo: string; takenBy: string; provider: string };

/** What was taken by hand for the order. */
function takenBefore(on: Db | Transaction, orderId: string): Promise<Before | undefined> {
  return on
    .selectFrom("handTakings")
    .innerJoin("payments", "payments.reference", "handTakings.reference")
    .select(["handTakings.reference", "handTakings.form", "handTakings.kobo", "handTakings.takenBy"])
    .select("payments.provider")
    .where("payments.orderId", "=", orderId)
    .executeTakeFirst();
}

/** Whether it is the same form with the same money. A form that was changed and sent again records nothing. */
function isSame({ form, kobo: sum, provider }: Before, { formKey, kobo: typed, means }: TakenByHand): boolean {
  return formKey !== undefined && form === formKey && Number(sum) === typed && provider === means;
}

function alreadyTaken({ kobo: sum, takenBy }: Before): Result {
  return no(`${takenBy} has already recorded that ${formatKobo(kobo(Number(sum)))} were taken for it`);
}

/**
 * Writes the payment `own` of the order with the payment `reference`, and its entry in the book. The payment is of what
 * was taken, so that refunds share that; what cash was rounded down by stands in the book. The order may have been paid
 * by the link meanwhile. The caller settles the payment once it is committed.
 */
export async function recordTaking(
  trx: Transaction,
  reference: string,
  own: string,
  taken: TakenByHand,
): Promise<Result> {
  const { order } = await lockOrder(trx, reference);
  const before = await takenBefore(trx, order.id);
  if (before && isSame(before, taken)) return { ok: true, what: whatOf(taken), isRepeat: true };
  if (before) return alreadyTaken(before);
  const isLate = isLive(order.state) && order.expiresAt <= new Date();
  if (isLate || order.state === "released") return over(order.number);
  const { means, bankReference = null, by, formKey: form } = taken;
  const missing = missingReference(taken);
  if (missing) return missing;
  const other = bankReference === null ? undefined : await orderPaidWith(trx, bankReference);
  if (other) return no(`The reference ${bankReference} has already paid ${other}`, "bankReference");
  await trx
    .insertInto("payments")
    .values({
      reference: own,
      orderId: order.id,
      state: "pending",
      kobo: taken.kobo,
      provider: means,
      mode: providerOf(means).mode(),
      nextCheckAt: sql<Date>`now() + ${sql.raw(intervalSql(waitBefore(0)))}`,
    })
    .execute();
  const roundingKobo = Number(order.kobo) - taken.kobo;
  await addTaking(trx, { reference: own, kobo: taken.kobo, roundingKobo, bankReference, by, form });
  await claimForAccount(trx, order.id);
  await checkUnopenedNow(trx, order.id);
  const recorded = { means: MEANS_NAMES[means], kobo: taken.kobo, ...(roundingKobo > 0 && { roundingKobo }) };
  return { ok: true, what: whatOf(taken), recorded };
}

function whatOf({ means, kobo: sum }: TakenByHand): string {
  return `${formatKobo(kobo(sum))} taken: ${MEANS_NAMES[means].toLowerCase()}`;
}

/** Settles the payment, and says what has become of it. */
async function settled(on: Db, reference: string, taken: TakenByHand): Promise<Result> {
  const { outcome } = await settlePayment(reference, on);
  const { email } = await on
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select("email")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const emailed = outcome === "sold" ? emailedText(email, { after: ", and", who: "customer" }) : "";
  return { ok: true, what: `${whatOf(taken)}; ${OUTCOMES[outcome]}${emailed}` };
}

const NEXT = "it will be paid in a moment";
const OUTCOMES: Record<Settlement["outcome"], string> = {
  sold: "the order is paid",
  refunding: "but the order was paid by the link meanwhile. Give this money back, and mark it as given",
  pending: NEXT,
  unpaid: NEXT,
  unavailable: NEXT,
  "unknown-reference": NEXT,
};

function no(problem: string, field?: "naira" | "bankReference"): Result {
  return { ok: false, problem, ...(field && { field }) };
}
