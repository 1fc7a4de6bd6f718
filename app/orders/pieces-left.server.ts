import { sql } from "kysely";

/**
 * A condition in SQL on the tables `orders` and `sales`, under these names: whether a sale has a piece that is not
 * refunded. A failed refund counts as done, because it is tried again.
 */
export const hasPiecesLeftSql = (orders = "orders", sales = "sales") => `exists (
  select from jsonb_to_recordset(${orders}.lines) as line("productId" text, size text, quantity integer)
  group by line."productId", line.size
  having sum(line.quantity) > coalesce((
    select sum(piece.quantity)
    from refunds, jsonb_to_recordset(refunds.pieces) as piece("productId" text, size text, quantity integer)
    where refunds.reference = ${sales}.reference and refunds.state <> 'void'
      and piece."productId" = line."productId" and piece.size = line.size), 0))`;

export const HAS_PIECES_LEFT = sql.raw<boolean>(hasPiecesLeftSql());
