import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { type Kobo, usdCents } from "#app/money/money.ts";
import { usesOf } from "#app/offers/terms.ts";
import { lastShipping } from "#app/orders/lifecycle.server.ts";
import { type Basis, basisOf, type CartLine, priceLines, readAsked, readRatesNow } from "#app/orders/quote.server.ts";
import { isStockTaken, leftForStaff, lockSizes, namedShortages, unitsOf } from "#app/orders/reservation.server.ts";
import { LARGEST_TOTAL, orderSums } from "#app/orders/sums.ts";
import type { Units } from "#app/orders/units.ts";
import { linkOf, newCode } from "#app/payments/links/link.server.ts";
import { addStaffOrder } from "#app/payments/links/order.server.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { offeredIn } from "#app/shipping/rates.server.ts";
import type { Destination, ShippingForm } from "#app/shipping/shipping.ts";

/**
 * An order that staff put together. `email`: of the customer's account. `heldFor` is in milliseconds. `address` has
 * fields of the checkout's form; without it, the order goes where the customer's last one went.
 */
export type Wish = { email: string; units: Units[]; heldFor: number; address?: Record<string, string> };
/** The order that was put together. `url` contains the code, which is not stored anywhere else. */
export type SentOrder = { number: string; reference: string; kobo: Kobo; until: Date; url: string };

type Buyer = { id: string; email: string; firstName: string; lastName: string };
type Asked = { buyer: Buyer; form: ShippingForm; destination: Destination; basis: Basis; wish: Wish };

/**
 * Puts an order together for a customer and holds its pieces. The customer pays it by the link. Prices, offers, delivery
 * and rate are those of now, and stand until the end of the hold. Throws a BadInput if that is not possible.
 */
export async function putTogether(on: Db, by: Actor, wish: Wish): Promise<SentOrder> {
  const buyer = await findBuyer(on, wish.email);
  const now = await readRatesNow(on);
  const { form, destination } = await readAddress(on, buyer, wish.address, offeredIn(now.shipping));
  const basis = basisOf(now, destination);
  if (!basis) throw new BadInput("The shop has no delivery rate for this place");
  const asked = { buyer, form, destination, basis, wish };
  for (let round = 0; round < 3; round++) {
    const sent = await retryingTransaction(on, (trx) => add(trx, by, asked)).catch(retryWhenTaken);
    if (sent) return sent;
  }
  throw new BadInput("The stock or an offer keeps changing at the moment. Try again");
}

function retryWhenTaken(error: unknown): undefined {
  if (!isStockTaken(error)) throw error;
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
  buyer: Buyer,
  address: Record<string, string> | undefined,
  rates: ReturnType<typeof offeredIn>,
): Promise<{ form: ShippingForm; destination: Destination }> {
  const last = address ?? (await lastShipping(on, buyer.id));
  if (!last) throw new BadInput(`${buyer.email} hasn't ordered yet: say where the order goes`);
  const { email, firstName, lastName } = buyer;
  const read = readShippingForm(new URLSearchParams({ email, firstName, lastName, ...last }), rates);
  if (read.ok) return read;
  const wrong = Object.entries(read.errors).map(([field, text]) => `${field}: ${text}`);
  throw new BadInput(["Where the order goes isn't complete:", ...wrong].join("\n"));
}

async function add(trx: Transaction, by: Actor, { buyer, form, destination, basis, wish }: Asked): Promise<SentOrder> {
  const units = unitsOf(wish.units);
  const { lines: wanted, hidden, offers } = await readAsked(trx, buyer.id, units);
  const unknown = units.find(
    ({ productId, size }) => !wanted.some((line) => line.productId === productId && line.size === size),
  );
  if (unknown) throw new BadInput(`There's no ${unknown.productId} in size ${unknown.size}`);
  if (hidden[0]) throw new BadInput(`${hidden[0]} is hidden: the shop doesn't sell it at the moment`);
  await mayHold(trx, wanted);
  const { country } = form;
  const { lines, offers: priced } = priceLines(wanted, offers && { ...offers, country }, basis.rate);
  const sums = orderSums(lines, priced.freeDelivery ? usdCents(0) : basis.shippingCents, basis.rate);
  if (sums.totalCents > LARGEST_TOTAL) throw new BadInput("The order is larger than any card pays");
  const uses = usesOf(priced, offers, basis.shippingCents, true);
  const code = newCode();
  const order = { buyer: buyer.id, form, destination, lines, sums, basis, uses, heldFor: wish.heldFor, code };
  const { number, reference, until } = await addStaffOrder(trx, order);
  const after = { number, until, lines: units.map(({ productId, size, quantity }) => `${productId}:${size}:${quantity}`) };
  await recordChange(trx, { by, action: "orders new", subject: { kind: "order", id: reference }, after });
  return { number, reference, kobo: sums.kobo, until, url: linkOf(code) };
}

/** Locks the sizes. Throws a BadInput if they have too few units, or if staff would hold too many of them at once. */
async function mayHold(trx: Transaction, lines: CartLine[]): Promise<void> {
  const [short] = namedShortages(lines, await lockSizes(trx, lines));
  if (short) throw new BadInput(`${short.title} ${short.size}: ${short.available} in stock`);
  const [over] = namedShortages(lines, await leftForStaff(trx, unitsOf(lines)));
  if (over)
    throw new BadInput(
      `${over.title} ${over.size}: orders like this may hold ${Math.max(0, over.available)} more. Together they hold at most a quarter of what's in stock`,
    );
}
