import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql, type Updateable } from "kysely";
import { countUnits } from "#app/cart/cart.ts";
import { variantText } from "#app/catalog/sizes.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { intervalSql, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { kobo } from "#app/money/money.ts";
import type { Order } from "#app/orders/lifecycle.server.ts";
import { isLive, type OrderState } from "#app/orders/state.ts";
import type { Failure, PaymentRequest } from "#app/payment-provider/contract.ts";
import { providerOf } from "#app/providers/registry.server.ts";
import { addressText } from "#app/shipping/address.ts";
import type { Database, OrderLine, ShippingDetails } from "#db/types.ts";
import { waitBefore } from "./check-schedule.ts";
import { type NotStarted, type OpenedPayment, refusal } from "./outcomes.ts";
import { keepTrace } from "./trace.server.ts";

const LEASE = 20 * SECOND;
/** Longer than the lease, so that a caller waiting for a crashed process can still take over. */
const GIVE_UP_AFTER = 25 * SECOND;
/** Limits how many transactions are opened while every response of the provider is unreadable. */
const MOST_REFERENCES = 2;
const FIRST_CHECK = `now() + ${intervalSql(waitBefore(0))}`;

export function newReference(): string {
  return randomBytes(16).toString("hex");
}

/**
 * SQL that inserts a payment of :provider in its mode :mode before the provider is called, so that a lost response
 * can be followed up. `order` is a relation with the order's id and its sum in kobo, `payer` the address of the
 * payer, if it is not the shopper. The caller must open the payment before the lease ends.
 */
export function insertPaymentSql(reference: string, order: string, payer = "null"): string {
  return `insert into payments (reference, order_id, state, kobo, provider, mode, next_check_at, leased_until, payer_email)
    select ${reference}, id, 'created', kobo, :provider, :mode, ${FIRST_CHECK}, now() + ${intervalSql(LEASE)}, ${payer} from ${order}`;
}

const addPayment = statement(
  {
    takes: {
      reference: sqlType.text,
      orderId: sqlType.uuid,
      provider: sqlType.text,
      mode: sqlType.text,
      payer: sqlType.orNull(sqlType.text),
    },
    gives: {},
  },
  insertPaymentSql(":reference", "orders where id = :orderId", ":payer"),
);

/** A payment that only this caller may open at the provider, until its lease ends. */
export type Opening = {
  reference: string;
  orderId: string;
  provider: string;
  kobo: number | string;
  email: string;
  lines: OrderLine[];
  shipping: ShippingDetails;
  /** The page from which the shopper pays. Defaults to the checkout. */
  referrer?: string;
  /** The address of whoever pays by the shopper's link. Null or absent if the shopper pays. */
  payerEmail?: string | null;
};

/**
 * Adds another payment for an order, of `payerEmail` if somebody else than the shopper pays. Only the caller may open
 * it, until the lease ends.
 */
export async function addOpening(
  trx: Transaction,
  { id: orderId, kobo, email, lines, shipping }: Pick<Order, "id" | "kobo" | "email" | "lines" | "shipping">,
  provider: string,
  payerEmail: string | null = null,
): Promise<Opening> {
  const reference = newReference();
  await addPayment(trx, { reference, orderId, provider, mode: providerOf(provider).mode(), payer: payerEmail });
  return { reference, orderId, provider, kobo, email, lines, shipping, payerEmail };
}

/**
 * Opens an order's payment at the provider, once. If several callers try, one calls the provider and the others wait
 * for the result. `own` is the payment that this caller has just inserted. Payments of other payers than `payerEmail`
 * are left alone.
 */
export async function openPayment(
  on: Db,
  orderId: string,
  own?: Opening,
  payerEmail: string | null = own?.payerEmail ?? null,
): Promise<OpenedPayment | NotStarted> {
  const deadline = performance.now() + GIVE_UP_AFTER;
  let turn = own;
  let tries = 0;
  while (performance.now() < deadline) {
    if (turn) {
      const result: OpenedPayment | Opening | undefined = await openAtProvider(on, turn, ++tries < MOST_REFERENCES);
      if (result && "ok" in result) return result;
      turn = result;
      continue;
    }
    const newest = await newestPayment(on, orderId, payerEmail);
    const { reference, provider, accessCode, authorizationUrl } = newest;
    if (!isLive(newest.orderState) || newest.state === "unpaid") return refusal(problemOf(newest.lastError));
    if (accessCode && authorizationUrl) {
      return { ok: true, orderId, reference, provider, accessCode, authorizationUrl, kobo: kobo(Number(newest.kobo)) };
    }
    if (await lease(on, reference)) turn = newest;
    else await sleep(50);
  }
  return refusal("payment-unavailable");
}

/**
 * Derives the problem from the stored error, so that waiting callers report the same one as the caller of the provider.
 */
function problemOf(lastError: string | null) {
  if (lastError?.startsWith("email-refused:")) return "payment-email-refused";
  return lastError?.startsWith("rejected:") ? "payment-refused" : "payment-unavailable";
}

async function newestPayment(on: Db, orderId: string, payerEmail: string | null) {
  return on
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .selectAll("payments")
    .select(["orders.state as orderState", "email", "lines", "shipping"])
    .where("orderId", "=", orderId)
    .where("payerEmail", "is not distinct from", payerEmail)
    .orderBy("payments.createdAt", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}

async function lease(on: Db, reference: string): Promise<boolean> {
  const leased = await on
    .updateTable("payments")
    .set({ leasedUntil: sql<Date>`now() + ${sql.raw(intervalSql(LEASE))}` })
    .where("reference", "=", reference)
    .where("accessCode", "is", null)
    .where("state", "=", "created")
    .where(({ or, eb }) => or([eb("leasedUntil", "is", null), eb("leasedUntil", "<=", sql<Date>`now()`)]))
    .executeTakeFirst();
  return leased.numUpdatedRows === 1n;
}

const recordOpened = statement(
  {
    takes: { reference: sqlType.text, accessCode: sqlType.text, authorizationUrl: sqlType.text },
    gives: { orderState: sqlType.textOf<OrderState>() },
  },
  `update payments p set state = 'pending', access_code = :accessCode, authorization_url = :authorizationUrl, leased_until = null,
     next_check_at = ${FIRST_CHECK}, updated_at = now()
   from orders a where a.id = p.order_id and reference = :reference returning a.state as order_state`,
);

/**
 * Opens the payment at the provider. If the response with the access code is lost, returns an `Opening` of another
 * payment to try instead. Undefined if opening failed or the order has ended.
 */
async function openAtProvider(
  on: Db,
  opening: Opening,
  mayReplace: boolean,
): Promise<OpenedPayment | Opening | undefined> {
  const { reference, orderId, provider: id } = opening;
  const provider = providerOf(id);
  await keepTrace(on, reference);
  const request = paymentRequest(opening);
  let answer = await provider.open(request);
  // A retry with the same reference cannot open a second transaction: the provider refuses a used reference.
  if (!answer.ok && answer.failure === "unavailable") answer = await provider.open(request);
  if (answer.ok) {
    const { accessCode, authorizationUrl } = answer;
    const [payment] = await recordOpened(on, { reference, accessCode, authorizationUrl });
    if (!payment || !isLive(payment.orderState)) return;
    return {
      ok: true,
      orderId,
      reference,
      provider: id,
      accessCode,
      authorizationUrl,
      kobo: kobo(Number(opening.kobo)),
    };
  }
  if (answer.failure === "duplicate-reference" && mayReplace) return replace(on, opening);
  await giveUp(on, reference, answer);
  return;
}

/**
 * Adds another payment, because the provider has the transaction but the response with its access code is lost. The old
 * payment is still watched.
 */
async function replace(on: Db, opening: Opening): Promise<Opening | undefined> {
  const { reference, orderId, provider, payerEmail: payer = null } = opening;
  log.warn({ reference }, "the reply to a payment's opening was lost");
  return on.transaction().execute(async (trx) => {
    if (!(await update(trx, reference, { state: "pending" }))) return;
    const next = newReference();
    await addPayment(trx, { reference: next, orderId, provider, mode: providerOf(provider).mode(), payer });
    return { ...opening, reference: next };
  });
}

async function giveUp(on: Db, reference: string, { failure, message }: Failure): Promise<void> {
  // An unavailable provider is logged once, by the module that calls it.
  if (failure !== "unavailable") log.error({ reference, failure, message }, "the provider did not open a payment");
  await update(on, reference, { state: "unpaid", lastError: `${failure}: ${message}` });
}

/**
 * Changes a payment whose opening has not ended. Returns false if another process took over after the lease had ended
 * and has already changed the payment's state.
 */
async function update(
  on: Db | Transaction,
  reference: string,
  change: Pick<Updateable<Database["payments"]>, "state" | "lastError">,
): Promise<boolean> {
  const updated = await on
    .updateTable("payments")
    .set({ ...change, leasedUntil: null, nextCheckAt: sql<Date>`${sql.raw(FIRST_CHECK)}`, updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .where("state", "=", "created")
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** What the provider is told. With a payment by somebody else, that is their address, and no data of the shopper. */
function paymentRequest({
  reference,
  email,
  kobo,
  lines,
  shipping,
  referrer,
  payerEmail = null,
}: Opening): PaymentRequest {
  const { firstName, lastName, phoneNumber: phone } = shipping;
  const returnUrl = new URL("/checkout/return", env.publicUrl);
  return {
    email: payerEmail ?? email,
    kobo: Number(kobo),
    reference,
    ...(payerEmail === null && { customer: { firstName, lastName, phone } }),
    referrer: isOwnPage(referrer) ? referrer : new URL("/checkout", env.publicUrl).href,
    callbackUrl: returnUrl.href,
    cancelUrl: `${returnUrl.href}?reference=${reference}`,
    customFields: customFields(lines, shipping).filter(({ name }) => payerEmail === null || !PERSONAL.includes(name)),
  };
}

const PERSONAL = ["customer_name", "phone", "shipping_address"];

function isOwnPage(url: string | undefined): url is string {
  return url?.startsWith(`${env.publicUrl.origin}/`) ?? false;
}

function customFields(lines: OrderLine[], shipping: ShippingDetails): PaymentRequest["customFields"] {
  const details = lines
    .map(({ title, quantity, ...variant }) => `${quantity} x ${title} (${variantText(variant)})`.replace(" ()", ""))
    .join("; ");
  const count = countUnits(lines);
  return [
    { label: "Customer Name", name: "customer_name", value: `${shipping.firstName} ${shipping.lastName}` },
    { label: "Phone", name: "phone", value: shipping.phoneNumber },
    { label: "Order Details", name: "order_details", value: details },
    { label: "Shipping Address", name: "shipping_address", value: addressText(shipping) },
    { label: "Total Items", name: "total_items", value: String(count) },
    { label: "Shipping Cost", name: "shipping_cost", value: `$${shipping.shippingCost}` },
  ];
}
