import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { matchingQuery, searchWords } from "#app/catalog/search/words.ts";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { ProductImage, ProductKind } from "#db/types.ts";
import { type Keyset, pageOf, type SortKeys } from "../keyset.server.ts";

export const PRODUCT_VIEWS = ["all", "published", "sold-out", "draft", "at-a-time"] as const;
export type ProductListView = (typeof PRODUCT_VIEWS)[number];

/** The sort orders of the products. Without `ascending`, the greatest comes first. */
export const SORTS = {
  shop: { keys: { "products.position": "int", "products.id": "text" }, ascending: true },
  changed: { keys: { "products.updated_at": "time", "products.id": "text" }, ascending: false },
  title: { keys: { 'fold(products.title) collate "C"': "text", "products.id": "text" }, ascending: true },
  cheap: { keys: { "products.price_cents": "int", "products.id": "text" }, ascending: true },
  dear: { keys: { "products.price_cents": "int", "products.id": "text" }, ascending: false },
} as const satisfies Record<string, { keys: SortKeys; ascending: boolean }>;
export type ProductSort = keyof typeof SORTS;
export const PRODUCT_SORTS = Object.keys(SORTS) as ProductSort[];

export type ProductSearch = { view: ProductListView; text?: string; kind?: ProductKind; sort: ProductSort };

export type ListedProduct = {
  id: string;
  title: string;
  color: string;
  priceCents: number;
  cover?: ProductImage;
  sizes: { size: string; pieces: number; held: number }[];
  inStock: boolean;
  hidden: boolean;
  publishAt: Date | null;
  /** Whether it is sold in turns, or will be: the owner has switched a queue on. */
  hasQueue: boolean;
};

/** A page of the matching products. */
export async function searchProducts(on: Db, { sort, ...search }: ProductSearch, keyset: Keyset = {}, size?: number) {
  const found = fitting(on, search)
    .select(["products.id", "title", "color", "priceCents", "images", "inStock", "hidden", "publishAt"])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom("productSizes as s")
          .whereRef("s.productId", "=", "products.id")
          .select(["s.size", "s.onHand as pieces", "s.reserved as held"]),
      ).as("sizes"),
    )
    .select(sql<boolean>`exists (select from queues where queues.product_id = products.id)`.as("hasQueue"));
  const { keys, ascending } = SORTS[sort];
  const { rows, ...ends } = await pageOf(found, keys, keyset, { ascending, size });
  const products = rows.map(
    ({ images, place: _, ...row }): ListedProduct => ({ ...row, cover: images[0], sizes: inOrder(row.sizes) }),
  );
  return { rows: products, ...ends };
}

/** The number of products in each view. */
export async function countProducts(on: Db): Promise<Record<ProductListView, number>> {
  const countSql = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<number>`count(*) filter (where ${condition})::int`;
  return await on
    .selectFrom("products")
    .select([
      sql<number>`count(*)::int`.as("all"),
      countSql(VIEWS.published).as("published"),
      countSql(VIEWS["sold-out"]).as("sold-out"),
      countSql(VIEWS.draft).as("draft"),
      countSql(VIEWS["at-a-time"]).as("at-a-time"),
    ])
    .executeTakeFirstOrThrow();
}

const VIEWS: Record<ProductListView, ReturnType<typeof sql<boolean>>> = {
  all: sql<boolean>`true`,
  published: sql<boolean>`not products.hidden`,
  "sold-out": sql<boolean>`(not products.hidden and not products.in_stock)`,
  draft: sql<boolean>`(products.hidden and products.publish_at is null)`,
  "at-a-time": sql<boolean>`products.publish_at is not null`,
};

/** `text`: beginnings of words in the title, the colour or the kinds, or the beginning of the id. */
function fitting(on: Db, { view, text = "", kind }: Omit<ProductSearch, "sort">) {
  const words = searchWords(text);
  return on
    .selectFrom("products")
    .where(VIEWS[view])
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`kinds @> array[${kind}]`))
    .$if(words.length > 0, (query) =>
      query.where(
        sql<boolean>`(search @@ to_tsquery('english', ${matchingQuery(words, "each")}) or starts_with(lower(products.id collate "C"), ${text.trim().toLowerCase()}))`,
      ),
    );
}
