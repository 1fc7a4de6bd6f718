import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { productDocuments } from "#app/catalog/documents/product.server.ts";
import { listOriginals, wholeOriginalOf } from "#app/catalog/pictures/originals.server.ts";
import { PLACEHOLDER_IMAGE } from "#app/catalog/product.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { userDocument } from "#app/customer-data/user-document.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { listSubscriptions } from "#app/newsletter/newsletter.server.ts";
import { toSaleDocument } from "#app/orders/document.ts";
import { listSold } from "#app/orders/history.server.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import { shippingDocument } from "#app/shipping/document.server.ts";
import { progress, type Result } from "../command.ts";
import { type Collection, countText } from "./names.ts";

/** Writes every collection and all pictures into a folder. */
export async function exportDocuments(db: Db, by: Actor, folder: string): Promise<Result> {
  const site = env.publicUrl.origin;
  const { rate } = await rateInForce(db);
  const ids = await db.selectFrom("users").select("id").orderBy("createdAt").execute();
  const onProgress = progress("customers", ids.length);
  const users = [];
  for (const { id } of ids) {
    users.push(await userDocument(db, id, site));
    onProgress(users.length);
  }
  const sold = await listSold(db);
  const products = await productDocuments(db, ({ hash }) => `images/${hash}.jpg`);
  const documents: Record<Collection, object> = {
    Products: products.map((one) => ({ ...one, images: one.images.length > 0 ? one.images : [PLACEHOLDER_IMAGE] })),
    Users: users,
    Sales: sold.map((order) => ({ id: order.saleId, ...toSaleDocument(order, site) })),
    Subscription: await listSubscriptions(db),
    ExchangeRate: [{ rate: Number(rateText(rate)) }],
    Shopping: { Shipping: await shippingDocument(db) },
  };
  await recordExport(db, by, { what: "documents", rows: users.length });
  await mkdir(path.join(folder, "images"), { recursive: true });
  for (const [name, value] of Object.entries(documents))
    await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
  for (const hash of await listOriginals()) {
    const bytes = await wholeOriginalOf(hash);
    if (bytes) await writeFile(path.join(folder, "images", `${hash}.jpg`), bytes);
  }
  const counts = Object.fromEntries(
    Object.entries(documents).map(([name, value]) => [name, Object.keys(value).length]),
  );
  return { code: 0, data: counts, text: `${folder}: ${countText(counts)}` };
}
