import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { matchingQuery, searchWords } from "#app/catalog/search/words.ts";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { ProductImage, ProductKind } from "#db/types.ts";

export const PRODUCT_VIEWS = ["all", "published", "sold-out", "draft", "at-a-time"] as const;
export type ProductView = (typeof PRODUCT_VIEWS)[number];

/** By what a list is sorted, and how its key is read from an address. */
const SORTS = {
  shop: { key: sql<string>`products.position::text`, order: sql`products.position`, as: sql`int`, down: false },
  changed: {
    key: sql<string>`products.updated_at::text`,
    order: sql`products.updated_at`,
    as: sql`timestamptz`,
    down: true,
  },
  title: { key: sql<string>`products.title`, order: sql`products.title`, as: sql`text`, down: false },
  cheap: { key: sql<string>`products.price_cents::text`, order: sql`products.price_cents`, as: sql`int`, down: false },
  dear: { key: sql<string>`products.price_cents::text`, order: sql`products.price_cents`, as: sql`int`, down: true },
};
export type ProductSort = keyof typeof SORTS;
export const PRODUCT_SORTS = Object.keys(SORTS) as ProductSort[];

export type ProductSearch = { view: ProductView; text?: string; kind?: ProductKind; sort: ProductSort };

/** A product's place in a list that is sorted in some way. */
export type ListPlace = { key: string; id: string };

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
};

const PAGE = 50;

/** A page of the products that fit: those behind the place `before`, or in front of `after`. `older` and `newer` are where the next pages begin. */
export async function searchProducts(
  on: Db,
  { sort, ...search }: ProductSearch,
  { before, after }: { before?: ListPlace; after?: ListPlace } = {},
  size = PAGE,
) {
  const { key, order, as, down } = SORTS[sort];
  const edge = before ?? after;
  const isBackwards = edge !== undefined && before === undefined;
  const isDown = down !== isBackwards;
  const direction = isDown ? "desc" : "asc";
  const rows = await fitting(on, search)
    .select(["products.id", "title", "color", "priceCents", "images", "inStock", "hidden", "publishAt", key.as("key")])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom("productSizes as s")
          .whereRef("s.productId", "=", "products.id")
          .select(["s.size", "s.onHand as pieces", "s.reserved as held"]),
      ).as("sizes"),
    )
    .$if(edge !== undefined, (query) =>
      query.where(
        sql<boolean>`(${order}, products.id) ${isDown ? sql`<` : sql`>`} (${edge?.key}::text::${as}, ${edge?.id}::text)`,
      ),
    )
    .orderBy(order, direction)
    .orderBy("products.id", direction)
    .limit(size + 1)
    .execute();
  const hasMore = rows.length > size;
  const page = rows.slice(0, size);
  if (isBackwards) page.reverse();
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    products: page.map(
      ({ images, key: _, ...row }): ListedProduct => ({ ...row, cover: images[0], sizes: inOrder(row.sizes) }),
    ),
    newer: first && (isBackwards ? hasMore : edge !== undefined) ? placeOf(first) : undefined,
    older: last && (isBackwards || hasMore) ? placeOf(last) : undefined,
  };
}

const placeOf = ({ key, id }: ListPlace): ListPlace => ({ key, id });

/** Whether a key from an address is one by which this list is sorted. */
export function isKeyOf(sort: ProductSort, key: string): boolean {
  if (sort === "title") return true;
  return sort === "changed" ? isMoment(key) : /^-?\d{1,9}$/.test(key);
}

/** As PostgreSQL writes a moment. */
function isMoment(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/.test(text)) return false;
  try {
    Temporal.Instant.from(text.replace(" ", "T"));
    return true;
  } catch {
    return false; // 2026-02-31
  }
}

/** How many products there are in each view. */
export async function countProducts(on: Db): Promise<Record<ProductView, number>> {
  const count = (condition: ReturnType<typeof sql<boolean>>) => sql<number>`count(*) filter (where ${condition})::int`;
  return await on
    .selectFrom("products")
    .select([
      sql<number>`count(*)::int`.as("all"),
      count(VIEWS.published).as("published"),
      count(VIEWS["sold-out"]).as("sold-out"),
      count(VIEWS.draft).as("draft"),
      count(VIEWS["at-a-time"]).as("at-a-time"),
    ])
    .executeTakeFirstOrThrow();
}

const VIEWS: Record<ProductView, ReturnType<typeof sql<boolean>>> = {
  all: sql<boolean>`true`,
  published: sql<boolean>`not products.hidden`,
  "sold-out": sql<boolean>`(not products.hidden and not products.in_stock)`,
  draft: sql<boolean>`(products.hidden and products.publish_at is null)`,
  "at-a-time": sql<boolean>`products.publish_at is not null`,
};

/** `text`: beginnings of words of the title, the colour or the kinds, or the beginning of the id. */
function fitting(on: Db, { view, text = "", kind }: Omit<ProductSearch, "sort">) {
  const words = searchWords(text);
  return on
    .selectFrom("products")
    .where(VIEWS[view])
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`kinds @> array[${kind}]`))
    .$if(words.length > 0, (query) =>
      query.where(
        sql<boolean>`(search @@ to_tsquery('english', ${matchingQuery(words, "each")}) or starts_with(products.id, ${text.trim().toLowerCase()}))`,
      ),
    );
}
