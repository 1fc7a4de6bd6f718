import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { FACTS } from "#app/catalog/catalog.server.ts";
import { normalPriceSql } from "#app/catalog/prices/in-force.server.ts";
import type { ProductFacts } from "#app/catalog/product-fields.ts";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { ProductImage } from "#db/types.ts";
import { actsOnProduct, type ProductAct } from "./product-acts.server.ts";

/** `held`: the pieces in stock that live orders reserve. `untouched`: the size has never had stock. */
export type OwnedSize = { size: string; pieces: number; held: number; untouched: boolean };

export type OwnedProduct = Omit<ProductFacts, "priceCents"> & {
  id: string;
  priceCents: number;
  images: ProductImage[];
  hidden: boolean;
  publishAt: Date | null;
  updatedAt: Date;
  sizes: OwnedSize[];
  acts: ProductAct[];
  /** The id of the newest act, which identifies this version of the product. */
  version: string;
};

/** A product with all data that the office shows. */
export async function viewProduct(on: Db, id: string): Promise<OwnedProduct | undefined> {
  const row = await on
    .selectFrom("products")
    .select(["id", ...FACTS, "images", "hidden", "publishAt", "updatedAt", normalPriceSql().as("priceCents")])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom("productSizes as s")
          .whereRef("s.productId", "=", "products.id")
          .select(["s.size", "s.onHand as pieces", "s.reserved as held", sql<boolean>`s.supplied = 0`.as("untouched")]),
      ).as("sizes"),
    )
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return;
  const acts = await actsOnProduct(on, id);
  return { ...row, sizes: inOrder(row.sizes), acts, version: acts.at(-1)?.id ?? "0" };
}
