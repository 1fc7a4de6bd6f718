import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { usdCents } from "#app/money/money.ts";
import { type OfferUse, usesOf } from "#app/offers/terms.ts";
import { lastShipping } from "#app/orders/lifecycle.server.ts";
import { type Basis, basisOf, priceLines, type RatesNow, readAsked, readRatesNow } from "#app/orders/quote.server.ts";
import { isStockTaken, leftForStaff, lockSizes, namedShortages, unitsOf } from "#app/orders/reservation.server.ts";
import { LARGEST_TOTAL, orderSums, type Sums } from "#app/orders/sums.ts";
import type { Units } from "#app/orders/units.ts";
import { linkOf, newCode } from "#app/payments/links/link.server.ts";
import { addStaffOrder } from "#app/payments/links/order.server.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { offeredIn } from "#app/shipping/rates.server.ts";
import type { Destination, ShippingForm } from "#app/shipping/shipping.ts";
import type { OrderLine } from "#db/types.ts";
import { renew, type SentOrder } from "./link.server.ts";

/**
 * An order that staff put together. `email`: of the customer's account. `heldFor` is in milliseconds. `address` has
 * fields of the checkout's form; without it, the order goes where the customer's last one went. `formKey`: the id of
 * the form; the same form makes one order, however often it is sent.
 */
export type Wish = {
  email: string;
  units: Units[];
  heldFor: number;
  address?: Record<string, string>;
  formKey?: string;
};

type Buyer = { id: string; email: string; firstName: string; lastName: string };
/** Whom an order is for, where it goes, and what that costs. */
export type ForWhom = { buyer: Buyer; form: ShippingForm; destination: Destination; basis: Basis };
/** The pieces of an order at their prices, with the offers that it uses. */
export type PricedOrder = { lines: OrderLine[]; sums: Sums; uses: OfferUse[] };

/**
 * Puts an order together for a customer and holds its pieces. The customer pays it by the link. Prices, offers, delivery
 * and rate are those of now, and stand until the end of the hold. Throws a BadInput if that is not possible.
 */
export async function putTogether(on: Db, by: Actor, wish: Wish): Promise<SentOrder> {
  const whom = await readForWhom(on, wish.email, wish.address);
  for (let round = 0; round < 3; round++) {
    const sent = await retryingTransaction(on, (trx) => add(trx, by, whom, wish)).catch(retryWhenTaken);
    if (sent) return sent;
  }
  throw new BadInput("The stock or an offer keeps changing at the moment. Try again");
}

function retryWhenTaken(error: unknown): undefined {
  if (!isStockTaken(error)) throw error;
}

/** Throws a BadInput if the customer cannot be sent an order, or if it is not known where to. */
export async function readForWhom(on: Db, email: string, address?: Record<string, string>): Promise<ForWhom> {
  const buyer = await findBuyer(on, email);
  const now = await readRatesNow(on);
  const { form, destination } = await readAddress(on, buyer, address, now);
  const basis = basisOf(now, destination);
  if (!basis) throw new BadInput("The shop has no delivery rate for this place");
  return { buyer, form, destination, basis };
}

async function findBuyer(on: Db, email: string): Promise<Buyer> {
  const buyer = await on
    .selectFrom("users")
    .select(["id", "email", "firstName", "lastName", "emailVerified"])
    .where("email", "=", normalizeEmail(email))
    .executeTakeFirst();
  if (!buyer) throw new BadInput(`There's no customer with the email address '${email}'`);
  if (!buyer.emailVerified) throw new BadInput(`${email} hasn't confirmed the email address yet`);
  return buyer;
}

/** Where the order goes. Throws a BadInput that names each field that is wrong or missing. */
async function readAddress(
  on: Db,
  { id, email, firstName, lastName }: Buyer,
  address: Record<string, string> | undefined,
  { shipping }: RatesNow,
): Promise<{ form: ShippingForm; destination: Destination }> {
  const last = address ?? (await lastShipping(on, id));
  if (!last) throw new BadInput(`${email} hasn't ordered yet: say where the order goes`);
  const read = readShippingForm(new URLSearchParams({ email, firstName, lastName, ...last }), offeredIn(shipping));
  if (read.ok) return read;
  const wrong = Object.entries(read.errors).map(([field, text]) => `${field}: ${text}`);
  throw new BadInput(["Where the order goes isn't complete:", ...wrong].join("\n"));
}

async function add(trx: Transaction, by: Actor, whom: ForWhom, { units, heldFor, formKey }: Wish): Promise<SentOrder> {
  const before = formKey && (await sentBefore(trx, whom.buyer.id, formKey));
  if (before) return renew(trx, by, before);
  const { lines, sums, uses } = await priceAsked(trx, whom, units);
  await mayHold(trx, lines);
  const { buyer, form, destination, basis } = whom;
  const code = newCode();
  const order = { form, destination, basis, lines, sums, uses, heldFor, code, formKey: formKey ?? null };
  const { number, reference, until } = await addStaffOrder(trx, { ...order, buyer: buyer.id });
  const pieces = unitsOf(units).map(({ productId, size, quantity }) => `${productId}:${size}:${quantity}`);
  const after = { number, until, pieces };
  await recordChange(trx, { by, action: "orders new", subject: { kind: "order", id: reference }, after });
  return { number, reference, kobo: sums.kobo, until, url: linkOf(code) };
}

/** The reference of the order that this form has made. Locks the buyer, so that a second sending waits for the first. */
async function sentBefore(trx: Transaction, buyer: string, formKey: string): Promise<string | undefined> {
  await trx.selectFrom("users").select("id").where("id", "=", buyer).forNoKeyUpdate().execute();
  const before = await trx
    .selectFrom("staffOrders")
    .innerJoin("payments", "payments.orderId", "staffOrders.orderId")
    .select("reference")
    .where("form", "=", formKey)
    .orderBy("payments.createdAt")
    .executeTakeFirst();
  return before?.reference;
}

/** Prices the pieces for the customer, with the offers that run. Throws a BadInput if the shop does not sell them. */
export async function priceAsked(on: Db | Transaction, whom: ForWhom, wanted: Units[]): Promise<PricedOrder> {
  const { buyer, form, basis } = whom;
  const units = unitsOf(wanted);
  const { lines: asked, hidden, offers } = await readAsked(on, buyer.id, units);
  const unknown = units.find(
    ({ productId, size }) => !asked.some((line) => line.productId === productId && line.size === size),
  );
  if (unknown) throw new BadInput(`There's no ${unknown.productId} in size ${unknown.size}`);
  if (hidden[0]) throw new BadInput(`${hidden[0]} is hidden: the shop doesn't sell it at the moment`);
  const { lines, offers: priced } = priceLines(asked, offers && { ...offers, country: form.country }, basis.rate);
  const sums = orderSums(lines, priced.freeDelivery ? usdCents(0) : basis.shippingCents, basis.rate);
  if (sums.totalCents > LARGEST_TOTAL) throw new BadInput("The order is larger than any card pays");
  return { lines, sums, uses: usesOf(priced, offers, basis.shippingCents, true) };
}

/** Locks the sizes. Throws a BadInput if they have too few units, or if staff would hold too many of them at once. */
async function mayHold(trx: Transaction, lines: OrderLine[]): Promise<void> {
  const units = unitsOf(lines);
  const [short] = namedShortages(lines, await lockSizes(trx, units));
  if (short) throw new BadInput(`${short.title} ${short.size}: ${short.available} in stock`);
  const [over] = namedShortages(lines, await leftForStaff(trx, units));
  const left = Math.max(0, over?.available ?? 0);
  if (over)
    throw new BadInput(
      `${over.title} ${over.size}: orders like this may hold ${left} more. Together they hold at most a quarter of what's in stock`,
    );
}
