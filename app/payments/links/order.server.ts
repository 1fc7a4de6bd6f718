import type { Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { ALL_OFFERED, takeOffersSql, usesType } from "#app/offers/offers.server.ts";
import type { OfferUse } from "#app/offers/terms.ts";
import type { Basis } from "#app/orders/quote.server.ts";
import { ALL_RESERVED, unitsOf } from "#app/orders/reservation.server.ts";
import type { Sums } from "#app/orders/sums.ts";
import { checkoutProvider } from "#app/providers/registry.server.ts";
import type { Destination, ShippingForm } from "#app/shipping/shipping.ts";
import type { OrderLine } from "#db/types.ts";
import { newOrderSql, ORDER_VALUES, shippingDetails, UNOPENED_PAYMENT } from "../add-order.server.ts";
import { newReference } from "../open.server.ts";

/** An order that staff have put together. `heldFor` is in milliseconds; `code` is the secret of its link. */
export type StaffOrder = {
  /** The customer's account; null if there is none with a confirmed address. */
  buyer: string | null;
  /** The customer's normalized address. */
  email: string;
  form: ShippingForm;
  destination: Destination;
  lines: OrderLine[];
  sums: Sums;
  basis: Basis;
  uses: OfferUse[];
  heldFor: number;
  code: string;
  /** The id of the form that it was put together with. */
  formKey: string | null;
  /** Handed over as soon as it is paid, at the stall that is the destination. */
  handedOver?: true;
};

/** Offers that count once for each shopper are not given, so no use needs the shopper's marks. */
const NO_MARKS = "'{}'::bytea[]";
const insertOrder = statement(
  {
    takes: {
      ...ORDER_VALUES,
      buyer: sqlType.orNull(sqlType.text),
      recipient: sqlType.text,
      codeHash: sqlType.bytes,
      formKey: sqlType.orNull(sqlType.uuid),
      uses: usesType,
    },
    gives: { id: sqlType.uuid, number: sqlType.text, expiresAt: sqlType.time },
  },
  `${newOrderSql(UNOPENED_PAYMENT)}, link as (
     insert into staff_orders (order_id, user_id, email, code_hash, form)
     select id, :buyer, :recipient, :codeHash, :formKey from new_order
   ), ${takeOffersSql("new_order", ":uses", NO_MARKS)}
   select id, number, expires_at, ${ALL_RESERVED}, ${ALL_OFFERED} from new_order`,
);

/** A stored staff order. `until`: the end of its hold. */
export type AddedOrder = { id: string; number: string; reference: string; until: Date };

/**
 * Inserts an order that staff have put together, with its payment, reservation and link. Throws an error for which
 * `isStockTaken` is true if stock or an offer is taken meanwhile.
 */
export async function addStaffOrder(trx: Transaction, order: StaffOrder): Promise<AddedOrder> {
  const { buyer, email: recipient, form, lines, sums, basis, uses, code, handedOver } = order;
  const reference = newReference();
  const [added] = await insertOrder(trx, {
    userId: null,
    buyer,
    recipient,
    cartVersion: "1", // of no cart; 0 marks orders that were imported
    email: form.email,
    shipping: { ...shippingDetails(order, sums), ...(handedOver && { handedOver }) },
    lines,
    ...sums,
    rate: rateText(basis.rate),
    rateAt: basis.rateAt,
    reference,
    provider: checkoutProvider.description.id,
    mode: checkoutProvider.mode(),
    held: unitsOf(lines),
    holdsStock: true,
    reservedFor: order.heldFor,
    codeHash: secretHash(code),
    formKey: order.formKey,
    uses,
  });
  if (!added) throw new Error("An inserted order has an id");
  const { id, number, expiresAt: until } = added;
  return { id, number, reference, until };
}

/** Replaces the code of an order's link, so that the former one opens nothing. Returns false if it has no link. */
export async function replaceCode(trx: Transaction, orderId: string, code: string): Promise<boolean> {
  const replaced = await trx
    .updateTable("staffOrders")
    .set({ codeHash: secretHash(code) })
    .where("orderId", "=", orderId)
    .executeTakeFirst();
  return replaced.numUpdatedRows === 1n;
}
