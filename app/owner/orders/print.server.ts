import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { returnablePieces } from "#app/orders/returns/rules.ts";
import type { RefundedPiece } from "#db/types.ts";
import { whyNothingLeaves } from "./may-leave.ts";

export const MOST_PRINTED = 200;

/** What was given back before the order left; what of it has failed is tried again. */
const GIVEN_BACK_HERE = sql<RefundedPiece[]>`coalesce((
  select jsonb_agg(piece) from refunds cross join jsonb_array_elements(pieces) piece
  where refunds.reference = sales.reference and refunds.state <> 'void'
    and coalesce(refunds.created_at < sales.fulfilled_at, true)), '[]')`;

/**
 * What is printed for orders: slips, with the pieces that are to be packed, and labels; `whyNot` says why nothing of one may leave. In the order of `numbers`;
 * those that do not exist are left out.
 */
export async function ordersToPrint(on: Db, numbers: string[]) {
  if (numbers.length === 0) return [];
  const rows = await on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select(["number", "orders.state", "orders.createdAt as placedAt", "orders.shipping", "orders.lines"])
    .select(["carrier", "tracking"])
    .select(GIVEN_BACK_HERE.as("back"))
    .where("number", "in", numbers)
    .execute();
  return rows
    .map(({ back, lines, state, ...row }) => {
      const left = state === "sold" ? returnablePieces(lines, back).filter(({ quantity }) => quantity > 0) : [];
      return { ...row, lines: left, whyNot: whyNothingLeaves({ state, hasPieces: left.length > 0 }) };
    })
    .sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number));
}
