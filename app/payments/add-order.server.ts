import type { Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statementWithCommit } from "#app/infra/database/statement.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { dollarText } from "#app/money/money.ts";
import { AGREED_COLUMNS } from "#app/orders/lifecycle.server.ts";
import type { Basis } from "#app/orders/quote.server.ts";
import { ALL_RESERVED, reserve, unitsType } from "#app/orders/reservation.server.ts";
import { BEGINS_AS } from "#app/orders/state.ts";
import type { Sums } from "#app/orders/sums.ts";
import { RESERVED_FOR } from "#app/orders/time-limits.ts";
import type { Units } from "#app/orders/units.ts";
import { type Destination, locationOf, type ShippingForm } from "#app/shipping/shipping.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { insertPayment, newReference, type Opening } from "./open.server.ts";

export type OrderRequest = {
  user: { id: string; emailVerified: boolean };
  form: ShippingForm;
  destination: Destination;
  currency: "NGN" | "USD";
  /** The page that asks, as the browser names it. */
  referrer?: string;
  /** The charge that the shopper saw and agreed to, 0 before one was shown; absent where any will do. */
  agreedKobo?: number;
  /** The sum of the goods that the shopper saw, in cents; absent when none was shown. */
  shownCents?: number;
  /** The shopper has been told that the pieces are not reserved, and wants them all the same. */
  agreesToNoHold?: boolean;
};

// Its time is taken under the cart's lock: comparable with the time of the shopper's sales.
const insertOrder = statementWithCommit(
  {
    takes: {
      ...AGREED_COLUMNS,
      userId: sqlType.text,
      kobo: sqlType.bigintFrom,
      reference: sqlType.text,
      held: unitsType,
      reservedFor: sqlType.duration,
    },
    gives: { id: sqlType.uuid },
  },
  `with new_order as (
     insert into orders (user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo,
       holds_stock, expires_at, created_at)
     values (:userId, '${BEGINS_AS}', :cartVersion, :email, :shipping, :lines, :subtotalCents, :shippingCents, :totalCents, :rate, :rateAt, :kobo,
       :holdsStock, now() + :reservedFor::interval, clock_timestamp()) returning id, kobo
   ), payment as (${insertPayment(":reference", "new_order")}), ${reserve("new_order", ":held")}
   select id, ${ALL_RESERVED} from new_order`,
);

/**
 * Writes order, payment and reservation down and commits the transaction: nothing can follow in it. Throws an error that `isStockTaken` knows where
 * the stock is no longer there, and undoes all.
 */
export async function addOrder(
  trx: Transaction,
  request: OrderRequest,
  cartVersion: string,
  lines: OrderLine[],
  held: Units[],
  sums: Sums,
  { rate, rateAt }: Basis,
): Promise<Opening> {
  const { email } = request.form;
  const shipping = shippingDetails(request, dollarText(sums.shippingCents));
  const reference = newReference();
  const [order] = await insertOrder(trx, {
    userId: request.user.id,
    cartVersion,
    email,
    shipping,
    lines,
    ...sums,
    rate: rateText(rate),
    rateAt,
    reference,
    held,
    holdsStock: held.length > 0,
    reservedFor: RESERVED_FOR,
  });
  if (!order) throw new Error("An inserted order has an id");
  return { reference, orderId: order.id, kobo: sums.kobo, email, lines, shipping, referrer: request.referrer };
}

function shippingDetails({ form, destination }: OrderRequest, cost: string): ShippingDetails {
  return { ...form, shippingCost: cost, shippingRate: cost, location: locationOf(destination, form.country) };
}
