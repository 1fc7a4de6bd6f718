import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { getProducts } from "./catalog.server.ts";
import type { Product } from "./product.ts";

const PAGE = 200;
const LARGEST_POSITION = 2 ** 31 - 1;

/** Where a page ends: the next one begins after it, also when that product is gone meanwhile. */
type Place = { position: number; id: string };
export type ProductPage = { products: Product[]; next?: string };

/** Reads what a page's `next` says; undefined where it is none. */
export function readPlace(text: string): Place | undefined {
  const [, position, id] = /^(\d{1,10})\.([A-Za-z0-9][\w-]{0,99})$/.exec(text) ?? [];
  return id && Number(position) <= LARGEST_POSITION ? { position: Number(position), id } : undefined;
}

/** The next 200 products in the order of the catalogue, and what the page after them is asked for with. Hidden ones are left out. */
export async function listProductPage(on: Db, after?: Place): Promise<ProductPage> {
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

/** The ids of all products that are shown. */
export async function listProductIds(on: Db): Promise<string[]> {
  const rows = await on.selectFrom("products").select("id").where("hidden", "=", false).orderBy("id").execute();
  return rows.map(({ id }) => id);
}
