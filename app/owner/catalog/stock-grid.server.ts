import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { matchingQuery, searchWords } from "#app/catalog/search/words.ts";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { ProductKind } from "#db/types.ts";
import { FEW } from "./stock-edit.ts";

export const STOCK_VIEWS = ["all", "out", "few"] as const;
/** All products, those of which a size is sold out, and those of which one is nearly out: hidden products are in neither of the two. */
export type StockView = (typeof STOCK_VIEWS)[number];
export const STOCK_SORTS = ["shop", "title"] as const;
export type StockSearch = {
  view: StockView;
  text?: string;
  kind?: ProductKind;
  /** As the shop lists them, or by title. */
  sort: (typeof STOCK_SORTS)[number];
  before?: string;
  after?: string;
};
/** `supplied` is all that was ever put into stock; `held` is put aside for open payments and exchanges. */
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

const PAGE = 50;

/** A page of products with what is in stock of each size. `older` and `newer` begin the next pages, where there are any. */
export async function stockGrid(on: Db, { before, after, ...search }: StockSearch, size = PAGE) {
  const key = search.sort === "title" ? sql`lower(title)` : sql`position`;
  const type = search.sort === "title" ? sql`text` : sql`integer`;
  const edge = readPlace(before ?? after, search.sort);
  const isBackwards = edge !== undefined && before === undefined;
  const order = sql.raw(isBackwards ? "desc" : "asc");
  const rows = await fitting(on, search)
    .select(["id", "title", "color", "priceCents", "hidden"])
    .select(sql<string | null>`images -> 0 ->> 'hash'`.as("image"))
    .select(sql<string>`${key} || '~' || id`.as("place"))
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom("productSizes as s")
          .whereRef("s.productId", "=", "products.id")
          .select(["s.size", "s.supplied", "s.onHand as stock", "s.reserved as held"]),
      ).as("sizes"),
    )
    .$if(edge !== undefined, (query) =>
      query.where(
        sql<boolean>`(${key}, id) ${sql.raw(isBackwards ? "<" : ">")} (${edge?.key}::${type}, ${edge?.id}::text)`,
      ),
    )
    .orderBy(sql`${key} ${order}`)
    .orderBy(sql`id ${order}`)
    .limit(size + 1)
    .execute();
  const hasMore = rows.length > size;
  const page = rows.slice(0, size);
  if (isBackwards) page.reverse();
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    rows: page.map(
      ({ place: _, sizes, ...row }): GridRow => ({
        ...row,
        sizes: inOrder(sizes).map(({ stock, ...one }) => ({ ...one, onHand: stock })),
      }),
    ),
    newer: first && (isBackwards ? hasMore : edge !== undefined) ? first.place : undefined,
    older: last && (isBackwards || hasMore) ? last.place : undefined,
  };
}

/** How many products have a size that is sold out, and one that is nearly out. */
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
  const someSize = (left: ReturnType<typeof sql>) => sql<boolean>`not hidden and exists (
    select from product_sizes s where s.product_id = products.id and s.on_hand - s.reserved ${left})`;
  return on
    .selectFrom("products")
    .$if(view === "out", (query) => query.where(someSize(sql`<= 0`)))
    .$if(view === "few", (query) => query.where(someSize(sql`between 1 and ${FEW}`)))
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`kinds @> array[${kind}::text]`))
    .$if(text.trim() !== "", (query) =>
      query.where(
        words.length === 0
          ? sql<boolean>`id = ${text.trim()}`
          : sql<boolean>`(search @@ to_tsquery('english', ${matchingQuery(words, "each")}) or id = ${text.trim()})`,
      ),
    );
}

function readPlace(text: string | undefined, sort: StockSearch["sort"]): { key: string; id: string } | undefined {
  const at = text?.lastIndexOf("~") ?? -1;
  if (text === undefined || at < 0) return;
  const [key, id] = [text.slice(0, at), text.slice(at + 1)];
  return sort === "title" || /^-?\d{1,9}$/.test(key) ? { key, id } : undefined;
}
