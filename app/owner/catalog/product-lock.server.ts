import { FACTS } from "#app/catalog/catalog.server.ts";
import { describePicture } from "#app/catalog/pictures/new-picture.server.ts";
import { normalPriceSql } from "#app/catalog/prices/in-force.server.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import type { ProductEdit } from "./product-edit.server.ts";

export type LockedProduct = ProductEdit & { images: ProductImage[]; stock: { size: string; supplied: number }[] };

/**
 * The current state of a product, locked against other changes and against orders of its sizes. Undefined if there is
 * none.
 */
export async function lockProduct(trx: Transaction, id: string): Promise<LockedProduct | undefined> {
  const row = await trx
    .selectFrom("products")
    .select([...FACTS, "images", "hidden", "publishAt", normalPriceSql().as("priceCents")])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const stock = await trx
    .selectFrom("productSizes")
    .select(["size", "supplied"])
    .where("productId", "=", id)
    .orderBy("size")
    .forUpdate()
    .execute();
  const { hidden, publishAt, priceCents, ...facts } = row;
  return {
    ...facts,
    priceCents: usdCents(priceCents),
    shown: publishAt ?? (hidden ? "draft" : "published"),
    stock,
    sizes: stock.map(({ size }) => size),
    pieces: {},
  };
}

/**
 * The full data of the pictures in an edit. New ones are measured from the stored file. Undefined if one of them is
 * missing.
 */
export async function picturesOf(
  { title, images }: ProductEdit,
  known: ProductImage[] = [],
): Promise<ProductImage[] | undefined> {
  const found: ProductImage[] = [];
  for (const { hash, alt, focus } of images) {
    const picture = known.find((one) => one.hash === hash) ?? (await describePicture(hash));
    if (!picture) return;
    const { width, height, background } = picture;
    found.push({ hash, width, height, alt: alt || title, background, ...(focus && { focus }) });
  }
  return found;
}
