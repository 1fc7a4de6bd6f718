import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { kobo } from "#app/money/money.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import type { Payment } from "./attempt.server.ts";
import { waitBefore } from "./check-schedule.ts";
import { isLive } from "./order-state.ts";
import type { OpenedPayment } from "./outcomes.ts";
import { type Failure, initialise, type PaymentRequest } from "./paystack.server.ts";

const SECOND = 1000;
const GIVE_UP_AFTER = 20 * SECOND;
const LEASE = sql<Date>`now() + interval '20 seconds'`;
const FIRST_CHECK = sql<Date>`now() + ${waitBefore(0)} * interval '1 second'`;

/** Writes down a payment before the provider hears of it: a reply that is lost leaves a trace to follow. */
export async function addPayment(trx: Db | Transaction, attemptId: string, amount: number | string): Promise<void> {
  const reference = randomBytes(16).toString("hex");
  await trx
    .insertInto("payments")
    .values({ reference, attemptId, state: "created", kobo: amount, nextCheckAt: FIRST_CHECK })
    .execute();
}

/**
 * Opens an attempt's payment at the provider, once: of many callers one asks, the others wait for its answer.
 * Undefined when the provider does not open it, or the attempt has ended meanwhile.
 */
export async function openPayment(on: Db, attemptId: string): Promise<OpenedPayment | undefined> {
  const deadline = performance.now() + GIVE_UP_AFTER;
  while (performance.now() < deadline) {
    const newest = await newestPayment(on, attemptId);
    const { reference, accessCode, authorizationUrl } = newest;
    if (!isLive(newest.attemptState) || newest.state === "unpaid") return;
    if (accessCode && authorizationUrl) {
      return { ok: true, attemptId, reference, accessCode, authorizationUrl, kobo: kobo(Number(newest.kobo)) };
    }
    if (await lease(on, reference)) await openAtProvider(on, newest);
    else await sleep(50);
  }
  return;
}

type Opening = Awaited<ReturnType<typeof newestPayment>>;

async function newestPayment(on: Db, attemptId: string) {
  return on
    .selectFrom("payments")
    .innerJoin("attempts", "attempts.id", "payments.attemptId")
    .selectAll("payments")
    .select(["attempts.state as attemptState", "email", "lines", "shipping"])
    .where("attemptId", "=", attemptId)
    .orderBy("payments.createdAt", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}

async function lease(on: Db, reference: string): Promise<boolean> {
  const leased = await on
    .updateTable("payments")
    .set({ leasedUntil: LEASE })
    .where("reference", "=", reference)
    .where("accessCode", "is", null)
    .where("state", "=", "created")
    .where(({ or, eb }) => or([eb("leasedUntil", "is", null), eb("leasedUntil", "<=", sql<Date>`now()`)]))
    .executeTakeFirst();
  return leased.numUpdatedRows === 1n;
}

async function openAtProvider(on: Db, opening: Opening): Promise<void> {
  const { reference } = opening;
  const request = paymentRequest(opening);
  let answer = await initialise(request);
  // The reference works once: asking again cannot open a second transaction.
  if (!answer.ok && answer.failure === "unavailable") answer = await initialise(request);
  if (answer.ok) {
    const { accessCode, authorizationUrl } = answer;
    await update(on, reference, { state: "pending", accessCode, authorizationUrl });
  } else if (answer.failure === "duplicate-reference") {
    await replace(on, opening);
  } else {
    await giveUp(on, reference, answer);
  }
}

/** The transaction is there, but the reply with its access code was lost for good: another one opens, this one stays watched. */
async function replace(on: Db, { reference, attemptId, kobo }: Opening): Promise<void> {
  log.warn({ reference }, "the reply to a payment's opening was lost");
  await on.transaction().execute(async (trx) => {
    await update(trx, reference, { state: "pending" });
    await addPayment(trx, attemptId, kobo);
  });
}

async function giveUp(on: Db, reference: string, { failure, message }: Failure): Promise<void> {
  log.error({ reference, failure, message }, "the provider did not open a payment");
  await update(on, reference, { state: "unpaid", lastError: `${failure}: ${message}` });
}

async function update(
  on: Db | Transaction,
  reference: string,
  change: Partial<Pick<Payment, "state" | "accessCode" | "authorizationUrl" | "lastError">>,
) {
  await on
    .updateTable("payments")
    .set({ ...change, leasedUntil: null, nextCheckAt: FIRST_CHECK, updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .execute();
}

function paymentRequest({ reference, email, kobo, lines, shipping }: Opening): PaymentRequest {
  const returnUrl = new URL("/checkout/return", env.publicUrl);
  return {
    email,
    kobo: Number(kobo),
    reference,
    callbackUrl: returnUrl.href,
    cancelUrl: `${returnUrl.href}?reference=${reference}`,
    customFields: customFields(lines, shipping),
  };
}

function customFields(lines: OrderLine[], shipping: ShippingDetails): PaymentRequest["customFields"] {
  const { address, apartment, city, state, postalCode, country, pickupCenter } = shipping;
  const place = [pickupCenter, apartment, address, city, state, postalCode, country].filter(Boolean).join(", ");
  const details = lines
    .map(({ title, color, size, quantity }) => `${quantity} x ${title} (${color}, ${size})`)
    .join("; ");
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return [
    { label: "Customer Name", name: "customer_name", value: `${shipping.firstName} ${shipping.lastName}` },
    { label: "Order Details", name: "order_details", value: details },
    { label: "Shipping Address", name: "shipping_address", value: place },
    { label: "Total Items", name: "total_items", value: String(count) },
    { label: "Shipping Cost", name: "shipping_cost", value: `$${shipping.shippingCost}` },
  ];
}
