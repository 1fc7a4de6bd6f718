import { describePicture } from "#app/catalog/pictures/new-picture.server.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import type { ProductEdit } from "./product-edit.server.ts";

export type LockedProduct = ProductEdit & { images: ProductImage[]; stock: { size: string; supplied: number }[] };

/** A product as it is, locked against other changes and against orders of its sizes, so that it is what a change begins with. */
export async function lockProduct(trx: Transaction, id: string): Promise<LockedProduct | undefined> {
  const row = await trx
    .selectFrom("products")
    .select(["title", "color", "description", "priceCents", "kinds", "finalSale", "details", "images"])
    .select(["hidden", "publishAt"])
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

/** All that is known of the pictures that an edit names; a new one is measured where it lies. undefined: one of them is not there. */
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
