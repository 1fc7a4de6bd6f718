import { sql } from "kysely";
import { normalPriceSql } from "#app/catalog/prices/in-force.server.ts";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { ExchangeSize } from "./exchange.ts";

/**
 * The sizes that can be sent in exchange for pieces of these products: their own, then those of the other shown colours
 * of their models whose normal price is the same today. A sale price changes nothing. `onHand` counts reserved pieces.
 */
export async function exchangeSizes(
  on: Db | Transaction,
  pieces: readonly { productId: string }[],
): Promise<(ExchangeSize & { onHand: number })[]> {
  const ids = [...new Set(pieces.map(({ productId }) => productId))];
  const { rows } = await sql<{
    ownId: string;
    productId: string;
    color: string;
    size: string;
    available: number;
    onHand: number;
  }>`
    select own.id as own_id, one.id as product_id, one.color, s.size, s.on_hand - s.reserved as available, s.on_hand
    from products own cross join lateral (
      select own.id, own.color, -1 as position
      union all (
        select distinct on (other.color) other.id, other.color, other.position from products other
        where fold(other.title) collate "C" = fold(own.title) collate "C" and not other.hidden
          and own.color <> '' and other.color not in ('', own.color)
          and ${normalPriceSql("other")} = ${normalPriceSql("own")}
        order by other.color, other.position, other.id
      )
    ) one join product_sizes s on s.product_id = one.id
    where own.id = any(${ids}::text[])
    order by own.id, one.position, one.id`.execute(on);
  const products = Map.groupBy(rows, ({ ownId, productId }) => `${ownId} ${productId}`);
  return [...products.values()].flatMap(inOrder).map(({ ownId, color, ...size }) => {
    return ownId === size.productId ? size : { ...size, insteadOf: ownId, color };
  });
}
