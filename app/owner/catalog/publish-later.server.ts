import type { Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";

/** Sets when a hidden product appears by itself; null means never. */
export async function publishLater(trx: Transaction, id: string, publishAt: Date | null): Promise<void> {
  await trx.updateTable("products").set({ publishAt }).where("id", "=", id).execute();
  if (publishAt) await enqueue(trx, "publish-products", {}, { startAfter: publishAt });
}
