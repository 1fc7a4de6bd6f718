import { sql } from "kysely";
import { IS_MONEY_TAKEN } from "#app/orders/issues.server.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";

// Conditions in SQL on the tables `orders`, `sales` and `paid`, the payment that made the sale.

/**
 * Whether refunds cover the charge. Null without a sale, which tells PostgreSQL that `IS_TO_SEND` needs a sale, so that
 * only unsent sales are read.
 */
const COVERS_CHARGE = sql`(paid.refunding_kobo + paid.refunded_kobo >= paid.kobo)`;

/**
 * Whether the order's whole charge is refunded or being refunded. If the shopper paid the provider's fees on top of the
 * charge, these may be left: the order counts as refunded without them (`isWhole` in app/orders/refund-plan.ts).
 */
export const IS_GIVEN_BACK = sql<boolean>`(${COVERS_CHARGE} is true)`;

/**
 * Whether an order must be sent. It is sold for real money, which the bank does not take back, has not left, is not
 * given back and has a piece left: all pieces may be refunded while the delivery charge is not.
 */
export const IS_TO_SEND = sql<boolean>`(not orders.trial and orders.state = 'sold' and sales.fulfilled_at is null and sales.ready_at is null
  and not ${COVERS_CHARGE} and ${HAS_PIECES_LEFT} and not ${IS_MONEY_TAKEN})`;
