import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { stageOf } from "#app/orders/fulfilment/progress.ts";
import { IS_MONEY_TAKEN } from "#app/orders/issues.server.ts";
import { returnablePieces } from "#app/orders/returns/rules.ts";
import { mergedLines } from "#app/orders/units.ts";
import type { RefundedPiece } from "#db/types.ts";
import { IS_GIVEN_BACK } from "./may-leave.server.ts";
import { whyNothingLeaves } from "./may-leave.ts";
import { addressToPack, lineToPack } from "./packing.server.ts";

export const MOST_PRINTED = 200;

/** The pieces refunded before the order left. Failed refunds count, because they are tried again. */
const GIVEN_BACK_HERE = sql<RefundedPiece[]>`coalesce((
  select jsonb_agg(piece) from refunds cross join jsonb_array_elements(pieces) piece
  where refunds.reference = sales.reference and refunds.state <> 'void'
    and coalesce(refunds.created_at < sales.fulfilled_at, true)), '[]')`;

/**
 * The data for printing orders: packing slips with the pieces to pack, labels, and pick lists. `whyNot` says why an
 * order must not be sent. The orders are in the order of `numbers`; unknown numbers are left out.
 */
export async function ordersToPrint(on: Db, numbers: string[]) {
  if (numbers.length === 0) return [];
  const rows = await on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .leftJoin("payments as paid", "paid.reference", "sales.reference")
    .select([
      "number",
      "orders.state",
      "orders.trial",
      "orders.createdAt as orderedAt",
      "orders.shipping",
      "orders.lines",
    ])
    .select(["carrier", "tracking", "packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt"])
    .select([GIVEN_BACK_HERE.as("back"), IS_GIVEN_BACK.as("isGivenBack"), IS_MONEY_TAKEN.as("isMoneyTaken")])
    .where("number", "in", numbers)
    .execute();
  return rows
    .map(({ number, orderedAt, carrier, tracking, state, trial, shipping, lines, back, ...row }) => {
      const { isGivenBack, isMoneyTaken, ...times } = row;
      const left = state === "sold" ? returnablePieces(lines, back).filter(({ quantity }) => quantity > 0) : [];
      return {
        ...{ number, orderedAt, carrier, tracking },
        stage: state === "sold" ? stageOf(times) : undefined,
        shipping: addressToPack(shipping),
        lines: mergedLines(left.map(lineToPack)),
        whyNot: whyNothingLeaves({ state, trial, isGivenBack, isMoneyTaken, hasPieces: left.length > 0 }),
      };
    })
    .sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number));
}
