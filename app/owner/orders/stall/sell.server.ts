import { cashRounding } from "#app/by-hand/book.server.ts";
import { MEANS_NAMES } from "#app/by-hand/means.ts";
import { sumToTake } from "#app/by-hand/rounding.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { NO_ADDRESS } from "#app/infra/mail.server.ts";
import { newCode } from "#app/infra/secrets/link-code.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { type Basis, readRatesNow } from "#app/orders/quote.server.ts";
import { unitsOf } from "#app/orders/reservation.server.ts";
import { RESERVED_FOR } from "#app/orders/time-limits.ts";
import { recordTaking, type TakenByHand } from "#app/payments/by-hand/take.server.ts";
import { addStaffOrder } from "#app/payments/links/order.server.ts";
import { newReference } from "#app/payments/open.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { isNigerianPhone, normalizeNigerianPhone } from "#app/shipping/phone.ts";
import { type Destination, NIGERIA, PICK_UP, type ShippingForm, shippingFields } from "#app/shipping/shipping.ts";
import { agreedText } from "../links/agreed.server.ts";
import {
  type Buyer,
  findBuyer,
  madeBefore,
  mayAgree,
  mustBeThere,
  priceAsked,
  type Wish,
} from "../links/new.server.ts";

/**
 * A sale at a stall: its items are paid by hand and handed over at once. `stall`: the place's name. The customer's
 * `email`, `phone` and `name` may be empty. `kobo`: the sum that was taken, in cash also rounded down.
 */
export type StallSale = Pick<Wish, "units" | "agreed" | "reason" | "formKey"> &
  Pick<TakenByHand, "means" | "bankReference" | "kobo"> & { stall: string; email: string; phone: string; name: string };

/** The longest name of a stall, in letters. */
export const LONGEST_STALL = 60;

/** A customer without an address or an account. */
const STRANGER: Buyer = { id: null, email: NO_ADDRESS, firstName: "", lastName: "" };

/**
 * What items cost anybody at a stall: at today's rate, without delivery, and with the offers that hold for all in
 * Nigeria. So the sum is known before the customer is.
 */
export async function readAtStall(on: Db) {
  const { rate, at: rateAt } = (await readRatesNow(on)).exchange;
  const basis: Basis = { rate, rateAt, shippingCents: usdCents(0) };
  return { buyer: STRANGER, basis, form: { country: NIGERIA.name } };
}

/**
 * Sells items at a stall: the order, its payment by hand and its sale are those of an order that is put together and
 * paid by hand, and it is delivered at that moment. The units are of all stock, not of the part that orders of staff
 * may hold. Returns the order's number, and what was done in words. Throws a BadInput if that is not possible.
 */
export async function sellAtStall(on: Db, by: Actor, sale: StallSale): Promise<{ number: string; what: string }> {
  const whom = await readAtStall(on);
  const buyer = sale.email.trim() === "" ? STRANGER : await findBuyer(on, sale.email);
  mayAgree(by, buyer, sale);
  const { number, reference } = await retryingTransaction(on, (trx) => add(trx, by, { ...whom, buyer }, sale));
  const { outcome } = await settlePayment(reference, on);
  const sum = `${formatKobo(kobo(sale.kobo))} taken: ${MEANS_NAMES[sale.means].toLowerCase()}`;
  return { number, what: outcome === "sold" ? `${number}: ${sum}` : `${number}: ${sum}; it is sold in a moment` };
}

type Added = { number: string; reference: string };

/** Puts the order together and records its payment, both or neither. */
async function add(
  trx: Transaction,
  by: Actor,
  { buyer, ...whom }: Awaited<ReturnType<typeof readAtStall>>,
  sale: StallSale,
): Promise<Added> {
  const { units, agreed, reason, formKey, stall, email: _, phone: __, name: ___, ...taken } = sale;
  const before = formKey && (await madeBefore(trx, formKey));
  if (before) return soldBefore(trx, before);
  const form = formOf(sale, buyer);
  const { lines, sums, uses } = await priceAsked(trx, { ...whom, buyer: STRANGER }, units, agreed);
  const asked = sumToTake(sums.kobo, sale.means, await cashRounding(trx));
  if (sale.kobo !== sums.kobo && sale.kobo !== asked)
    throw new BadInput(`It costs ${formatKobo(kobo(asked))} now: look at the sum again`);
  await mustBeThere(trx, lines);
  const destination: Destination = { kind: "pickup", center: stall };
  const saving = uses.filter(({ cents }) => cents > 0); // there is no delivery that could be free
  const { number, reference } = await addStaffOrder(trx, {
    ...{ buyer: buyer.id, email: buyer.email, form, destination, basis: whom.basis, lines, sums, uses: saving },
    ...{ heldFor: RESERVED_FOR, code: newCode(), formKey: formKey ?? null, handedOver: true },
  });
  const own = newReference();
  const done = await recordTaking(trx, reference, own, { ...taken, by: by.name, formKey });
  if (!done.ok) throw new BadInput(done.problem, done.field);
  const pieces = unitsOf(units).map(({ productId, size, quantity }) => `${productId}:${size}:${quantity}`);
  const said = [done.what, agreedText(lines, reason)].filter(Boolean).join(". ");
  const after = { number, stall, pieces, done: said };
  await recordChange(trx, { by, action: "orders sell", subject: { kind: "order", id: own }, after });
  return { number, reference: own };
}

/** The sale that the same form has made. */
async function soldBefore(trx: Transaction, reference: string): Promise<Added> {
  return await trx
    .selectFrom("payments as asked")
    .innerJoin("payments", "payments.orderId", "asked.orderId")
    .innerJoin("handTakings", "handTakings.reference", "payments.reference")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["orders.number", "payments.reference"])
    .where("asked.reference", "=", reference)
    .executeTakeFirstOrThrow();
}

/** The order's address: a pick-up at the stall. Throws a BadInput for a phone number that cannot be one. */
function formOf({ stall, phone, name }: StallSale, { email, firstName, lastName }: Buyer): ShippingForm {
  const phoneNumber = normalizeNigerianPhone(phone);
  if (phoneNumber !== "" && !isNigerianPhone(phoneNumber))
    throw new BadInput(`'${phone}' isn't a Nigerian phone number`);
  const known = { ...shippingFields(() => ""), country: NIGERIA.name, email, phoneNumber, pickupCenter: stall };
  const names = name.trim() ? { firstName: name.trim(), lastName: "" } : { firstName, lastName };
  return { ...known, ...names, deliveryType: PICK_UP };
}
