import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { ProductDetails, ProductImage, ProductKind } from "#db/types.ts";
import { actsOnProduct, type ProductAct } from "./product-acts.server.ts";

/** `held`: how many of the pieces in stock live orders hold. `untouched`: none was ever put into stock. */
export type OwnedSize = { size: string; pieces: number; held: number; untouched: boolean };

export type OwnedProduct = {
  id: string;
  title: string;
  color: string;
  description: string;
  priceCents: number;
  kinds: ProductKind[];
  finalSale: boolean;
  details: ProductDetails;
  images: ProductImage[];
  hidden: boolean;
  publishAt: Date | null;
  updatedAt: Date;
  sizes: OwnedSize[];
  acts: ProductAct[];
  /** The newest act, which stands for the product as it is. */
  version: string;
};

/** A product with all that its owner knows of it. */
export async function viewProduct(on: Db, id: string): Promise<OwnedProduct | undefined> {
  const row = await on
    .selectFrom("products")
    .select(["id", "title", "color", "description", "priceCents", "kinds", "finalSale", "details", "images"])
    .select(["hidden", "publishAt", "updatedAt"])
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
