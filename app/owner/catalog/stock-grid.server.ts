import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { matchingQuery, searchWords } from "#app/catalog/search/words.ts";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { ProductKind } from "#db/types.ts";
import { type Keyset, pageOf } from "../keyset.server.ts";
import { SORTS } from "./product-list.server.ts";
import { FEW } from "./stock-edit.ts";

export const STOCK_VIEWS = ["all", "out", "few"] as const;
/**
 * All products, those with a sold-out size, or those with a size that is nearly sold out. The last two leave out hidden
 * products.
 */
export type StockView = (typeof STOCK_VIEWS)[number];
export const STOCK_SORTS = ["shop", "title"] as const;
export type StockSearch = {
  view: StockView;
  text?: string;
  kind?: ProductKind;
  /** The shop's order, or by title. */
  sort: (typeof STOCK_SORTS)[number];
};
/** `supplied` is the number of pieces ever supplied. `held` are reserved for open payments and exchanges. */
export type GridSize = { size: string; supplied: number; onHand: number; held: number };
export type GridRow = {
  id: string;
  title: string;
  color: string;
  image: string | null;
  priceCents: number;
  hidden: boolean;
  sizes: GridSize[];
};

/** A page of products with the stock of each size. */
export async function stockGrid(on: Db, { sort, ...search }: StockSearch, keyset: Keyset = {}, size?: number) {
  const found = fitting(on, search)
    .select(["products.id", "title", "color", "priceCents", "hidden"])
    .select(sql<string | null>`images -> 0 ->> 'hash'`.as("image"))
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom("productSizes as s")
          .whereRef("s.productId", "=", "products.id")
          .select(["s.size", "s.supplied", "s.onHand as stock", "s.reserved as held"]),
      ).as("sizes"),
    );
  const { keys, ascending } = SORTS[sort];
  const { rows, ...ends } = await pageOf(found, keys, keyset, { ascending, size });
  const products = rows.map(
    ({ place: _, sizes, ...row }): GridRow => ({
      ...row,
      sizes: inOrder(sizes).map(({ stock, ...one }) => ({ ...one, onHand: stock })),
    }),
  );
  return { rows: products, ...ends };
}

/** The number of products with a sold-out size, and with a size that is nearly sold out. */
export async function countStock(on: Db): Promise<Record<Exclude<StockView, "all">, number>> {
  const counts = sql<{ out: number; few: number }>`
    select count(distinct product_id) filter (where on_hand - reserved <= 0)::int as out,
      count(distinct product_id) filter (where on_hand - reserved > 0)::int as few
    from product_sizes join products on products.id = product_id where not hidden and on_hand - reserved <= ${FEW}`;
  const { rows } = await counts.execute(on);
  return rows[0] ?? { out: 0, few: 0 };
}

function fitting(on: Db, { view, text = "", kind }: Pick<StockSearch, "view" | "text" | "kind">) {
  const words = searchWords(text);
  const hasSizeSql = (left: ReturnType<typeof sql>) => sql<boolean>`not hidden and exists (
    select from product_sizes s where s.product_id = products.id and s.on_hand - s.reserved ${left})`;
  return on
    .selectFrom("products")
    .$if(view === "out", (query) => query.where(hasSizeSql(sql`<= 0`)))
    .$if(view === "few", (query) => query.where(hasSizeSql(sql`between 1 and ${FEW}`)))
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`kinds @> array[${kind}::text]`))
    .$if(text.trim() !== "", (query) =>
      query.where(
        words.length === 0
          ? sql<boolean>`id = ${text.trim()}`
          : sql<boolean>`(search @@ to_tsquery('english', ${matchingQuery(words, "each")}) or id = ${text.trim()})`,
      ),
    );
}
