import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { FEW } from "./stock-edit.ts";

/** The sizes of visible products that are nearly sold out, fewest pieces first: their number, and the first few. */
export async function sizesNearlyOut(
  on: Db,
): Promise<{ count: number; first: { title: string; size: string; left: number }[] }> {
  const rows = await on
    .selectFrom("productSizes")
    .innerJoin("products", "products.id", "productId")
    .select([
      "title",
      "size",
      sql<number>`on_hand - reserved`.as("left"),
      sql<number>`count(*) over ()::int`.as("count"),
    ])
    .where(sql<boolean>`not hidden and on_hand - reserved between 1 and ${FEW}`)
    .orderBy("left")
    .orderBy("title")
    .orderBy("size")
    .limit(2)
    .execute();
  return { count: rows[0]?.count ?? 0, first: rows.map(({ title, size, left }) => ({ title, size, left })) };
}
