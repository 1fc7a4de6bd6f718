import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { getProducts } from "./catalog.server.ts";
import type { Product } from "./product.ts";

const PAGE = 200;
const LARGEST_POSITION = 2 ** 31 - 1;

/** The position after which the next page begins. It stays valid if the product at that position is deleted. */
type PageCursor = { position: number; id: string };
export type ProductPage = { products: Product[]; next?: string };

/** Parses a page's `next`. Undefined if it is not valid. */
export function readCursor(text: string): PageCursor | undefined {
  const [, position, id] = /^(\d{1,10})\.([A-Za-z0-9][\w-]{0,99})$/.exec(text) ?? [];
  return id && Number(position) <= LARGEST_POSITION ? { position: Number(position), id } : undefined;
}

/** The next 200 products in the catalogue's order, without hidden ones, and the `next` value for the following page. */
export async function listProductPage(on: Db, after?: PageCursor): Promise<ProductPage> {
  const places = await on
    .selectFrom("products")
    .select(["position", "id"])
    .where("hidden", "=", false)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(position, id) > (${after?.position}::int, ${after?.id}::text)`),
    )
    .orderBy("position")
    .orderBy("id")
    .limit(PAGE + 1)
    .execute();
  const shown = places.slice(0, PAGE);
  const found = await getProducts(
    on,
    shown.map(({ id }) => id),
  );
  const last = places.length > PAGE ? shown.at(-1) : undefined;
  return {
    products: shown.flatMap(({ id }) => found.get(id) ?? []).filter(({ hidden }) => !hidden),
    next: last && `${last.position}.${last.id}`,
  };
}

/** All visible products in the catalogue's order, up to 200 at a time: never the whole shop in memory. */
export async function* productPages(on: Db): AsyncGenerator<Product[]> {
  let after: PageCursor | undefined;
  do {
    const { products, next } = await listProductPage(on, after);
    yield products;
    after = next === undefined ? undefined : readCursor(next);
  } while (after);
}
