import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { newCode } from "#app/infra/secrets/link-code.server.ts";
import { usdCents } from "#app/money/money.ts";
import { type OfferUse, type StoredOffers, usesOf } from "#app/offers/terms.ts";
import { lastShipping } from "#app/orders/lifecycle.server.ts";
import { type Basis, basisOf, priceLines, type RatesNow, readAsked, readRatesNow } from "#app/orders/quote.server.ts";
import {
  isStockTaken,
  leftForStaff,
  lockSizes,
  namedShortages,
  staffShareText,
  unitsOf,
} from "#app/orders/reservation.server.ts";
import { LARGEST_TOTAL, orderSums, type Sums } from "#app/orders/sums.ts";
import type { Units } from "#app/orders/units.ts";
import { linkOf } from "#app/payments/links/link.server.ts";
import { addStaffOrder } from "#app/payments/links/order.server.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { offeredIn } from "#app/shipping/rates.server.ts";
import type { Destination, ShippingForm } from "#app/shipping/shipping.ts";
import type { OrderLine } from "#db/types.ts";
import { type AgreedPrice, agreedText, atAgreedPrices } from "./agreed.server.ts";
import { renew, type SentOrder } from "./link.server.ts";

/**
 * An order that staff put together. `email`: the customer's, who may have no account yet. `heldFor` is in milliseconds.
 * `address` has fields of the checkout's form; without it, the order goes where the customer's last one went.
 * `agreed`: prices below the shop's, with the `reason` for them. `formKey`: the id of the form; the same form makes one
 * order, however often it is sent.
 */
export type Wish = {
  email: string;
  units: Units[];
  heldFor: number;
  address?: Record<string, string>;
  agreed?: AgreedPrice[];
  reason?: string;
  formKey?: string;
};

/** `id` is null without an account that has confirmed the address: whoever proves it becomes the order's customer. */
export type Buyer = { id: string | null; email: string; firstName: string; lastName: string };
/** Whom an order is for, where it goes, and what that costs. */
export type ForWhom = { buyer: Buyer; form: ShippingForm; destination: Destination; basis: Basis };
/** The pieces of an order at their prices, with the offers that it uses. */
export type PricedOrder = { lines: OrderLine[]; sums: Sums; uses: OfferUse[] };

/**
 * Puts an order together for a customer and holds its pieces. The customer pays it by the link. Prices, offers,
 * delivery and rate are those of now, and stand until the end of the hold. Throws a BadInput if that is not possible.
 */
export async function putTogether(on: Db, by: Actor, wish: Wish): Promise<SentOrder> {
  const whom = await readForWhom(on, wish.email, wish.address);
  mayAgree(by, whom.buyer, wish);
  for (let round = 0; round < 3; round++) {
    const sent = await retryingTransaction(on, (trx) => add(trx, by, whom, wish)).catch(retryWhenTaken);
    if (sent) return sent;
  }
  throw new BadInput("The stock or an offer keeps changing at the moment. Try again");
}

/** Throws a BadInput if a member agrees on a price with themselves, or gives no reason. */
export function mayAgree(by: Actor, { email }: Buyer, { agreed = [], reason = "" }: Pick<Wish, "agreed" | "reason">) {
  if (agreed.length === 0) return;
  if (by.name === email) throw new BadInput("Somebody else has to agree on prices in an order of your own");
  if (reason === "") throw new BadInput("Say why the price is another one");
}

function retryWhenTaken(error: unknown): undefined {
  if (!isStockTaken(error)) throw error;
}

/** Throws a BadInput if this is no email address, or if it is not known where the order goes. */
export async function readForWhom(on: Db, email: string, address?: Record<string, string>): Promise<ForWhom> {
  const whom = await findForWhom(on, email, address);
  if (!("form" in whom)) throw new BadInput(`${whom.buyer.email} hasn't ordered yet: say where the order goes`);
  return whom;
}

/** The same for a form that asks where the order goes: it may be unknown, and is wanted then. */
export async function findForWhom(
  on: Db,
  email: string,
  address?: Record<string, string>,
): Promise<ForWhom | { buyer: Buyer; basis: Basis }> {
  const buyer = await findBuyer(on, email);
  const now = await readRatesNow(on);
  const known = address ?? (buyer.id === null ? undefined : await lastShipping(on, buyer.id));
  const { rate, at: rateAt } = now.exchange;
  if (!known) return { buyer, basis: { rate, rateAt, shippingCents: usdCents(0) } };
  const { form, destination } = readAddress(buyer, known, now);
  const basis = basisOf(now, destination);
  if (!basis) throw new BadInput("The shop has no delivery rate for this place");
  return { buyer, form, destination, basis };
}

/** The customer with this address. Throws a BadInput if it is no email address. */
export async function findBuyer(on: Db, typed: string): Promise<Buyer> {
  const email = normalizeEmail(typed);
  if (!isEmail(email)) throw new BadInput(`'${typed}' isn't an email address`);
  const known = await on
    .selectFrom("users")
    .select(["id", "email", "firstName", "lastName"])
    .where("email", "=", email)
    .where("emailVerified", "=", true)
    .executeTakeFirst();
  return known ?? { id: null, email, firstName: "", lastName: "" };
}

/** Where the order goes, by the standard way. Throws a BadInput that names each field that is wrong or missing. */
function readAddress(
  { email, firstName, lastName }: Buyer,
  address: Record<string, string>,
  { shipping }: RatesNow,
): { form: ShippingForm; destination: Destination } {
  const texts = { email, firstName, lastName, ...address, deliveryWay: "" };
  const read = readShippingForm(new URLSearchParams(texts), offeredIn(shipping));
  if (read.ok) return read;
  const wrong = Object.entries(read.errors).map(([field, text]) => `${field}: ${text}`);
  throw new BadInput(["Where the order goes isn't complete:", ...wrong].join("\n"));
}

async function add(trx: Transaction, by: Actor, whom: ForWhom, wish: Wish): Promise<SentOrder> {
  const { units, agreed, reason, heldFor, formKey } = wish;
  const before = formKey && (await madeBefore(trx, formKey));
  if (before) return renew(trx, by, before);
  const { lines, sums, uses } = await priceAsked(trx, whom, units, agreed);
  await mayHold(trx, lines);
  const { buyer, form, destination, basis } = whom;
  const code = newCode();
  const order = { form, destination, basis, lines, sums, uses, heldFor, code, formKey: formKey ?? null };
  const { number, reference, until } = await addStaffOrder(trx, { ...order, buyer: buyer.id, email: buyer.email });
  const pieces = unitsOf(units).map(({ productId, size, quantity }) => `${productId}:${size}:${quantity}`);
  const done = agreedText(lines, reason);
  const after = { number, until, pieces, ...(done && { done }) };
  await recordChange(trx, { by, action: "orders new", subject: { kind: "order", id: reference }, after });
  return { number, reference, kobo: sums.kobo, until, url: linkOf(code) };
}

/** The reference of the order that this form has made. A second sending of the form waits for the first. */
export async function madeBefore(trx: Transaction, formKey: string): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${formKey}, 0))`.execute(trx);
  const before = await trx
    .selectFrom("staffOrders")
    .innerJoin("payments", "payments.orderId", "staffOrders.orderId")
    .select("reference")
    .where("form", "=", formKey)
    .orderBy("payments.createdAt")
    .executeTakeFirst();
  return before?.reference;
}

type Priceable = { buyer: Buyer; basis: Basis; form?: Pick<ShippingForm, "country"> };

/**
 * Prices the pieces for the customer, with the offers that run and the agreed prices. Throws a BadInput if the shop
 * does not sell them, or not at these prices.
 */
export async function priceAsked(
  on: Db | Transaction,
  whom: Priceable,
  wanted: Units[],
  agreed: AgreedPrice[] = [],
): Promise<PricedOrder> {
  const { buyer, form, basis } = whom;
  const units = unitsOf(wanted);
  const { lines: asked, hidden, offers } = await readAsked(on, buyer.id, units);
  const unknown = units.find(
    ({ productId, size }) => !asked.some((line) => line.productId === productId && line.size === size),
  );
  if (unknown) throw new BadInput(`There's no ${unknown.productId} in size ${unknown.size}`);
  if (hidden[0]) throw new BadInput(`${hidden[0]} is hidden: the shop doesn't sell it at the moment`);
  const running = offers && { ...forEachOrder(offers), country: form?.country ?? null };
  const { lines, offers: priced } = priceLines(atAgreedPrices(asked, agreed), running, basis.rate);
  const sums = orderSums(lines, priced.freeDelivery ? usdCents(0) : basis.shippingCents, basis.rate);
  if (sums.totalCents > LARGEST_TOTAL) throw new BadInput("The order is larger than any card pays");
  return { lines, sums, uses: usesOf(priced, running, basis.shippingCents, true) };
}

/**
 * The offers without those that count once for each shopper or for a first order: several links and a checkout may be
 * open for one shopper, and each would have them.
 */
function forEachOrder(offers: StoredOffers): StoredOffers {
  const isForEach = ({ terms }: StoredOffers["offers"][number]) => !terms.oncePerShopper && !terms.firstOrderOnly;
  return { ...offers, offers: offers.offers.filter(isForEach) };
}

/** Locks the sizes. Throws a BadInput if they have too few units. */
export async function mustBeThere(trx: Transaction, lines: OrderLine[]): Promise<void> {
  const [short] = namedShortages(lines, await lockSizes(trx, unitsOf(lines)));
  if (short) throw new BadInput(`${short.title} ${short.size}: ${short.available} in stock`);
}

/** The same. Throws a BadInput, too, if staff would hold too many units of a size at once. */
async function mayHold(trx: Transaction, lines: OrderLine[]): Promise<void> {
  await mustBeThere(trx, lines);
  const units = unitsOf(lines);
  const [over] = namedShortages(lines, await leftForStaff(trx, units));
  const left = Math.max(0, over?.available ?? 0);
  if (over)
    throw new BadInput(
      `${over.title} ${over.size}: orders like this may hold ${left} more. Together they hold at most ${await staffShareText(trx)} of what's in stock`,
    );
}
