import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { askReturn } from "#app/orders/returns/ask.server.ts";
import type { ReturnReason } from "#app/orders/returns/return.ts";
import type { WantedPiece } from "#app/orders/returns/rules.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import type { useCheckout } from "./checkout.ts";
import { makeProduct, makeShopper, type Shopper } from "./shop.ts";

export const OFFICE = { name: "bola@example.com", door: "office" } as const;

export type Delivered = { productId: string; user: Shopper; reference: string };

/** A shopper who has bought `quantity` M of a product with this stock, and received them some time ago. */
export async function delivered(
  { db, open, provider }: Pick<ReturnType<typeof useCheckout>, "db" | "open" | "provider">,
  {
    quantity = 1,
    sizes = { M: 5, L: 1 },
    ago = "1 hour",
  }: { quantity?: number; sizes?: Record<string, number>; ago?: string } = {},
): Promise<Delivered> {
  const productId = await makeProduct(db(), sizes);
  const user = await makeShopper(db(), { productId, size: "M", quantity });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference);
  await arrived(db(), reference, ago);
  return { productId, user, reference };
}

export async function arrived(on: Db, reference: string, ago = "1 hour"): Promise<void> {
  const at = sql<Date>`now() - ${ago}::interval`;
  await on.updateTable("sales").set({ fulfilledAt: at, deliveredAt: at }).where("reference", "=", reference).execute();
}

/** Requests a return as the sale's shopper, of one M for money unless other pieces are given. Returns its number. */
export async function asked(
  on: Db,
  { productId, user, reference }: Delivered,
  {
    newSize = null,
    newProductId,
    quantity = 1,
    reason = "size",
  }: Partial<Pick<WantedPiece, "newSize" | "newProductId" | "quantity">> & { reason?: ReturnReason } = {},
): Promise<string> {
  const pieces = [{ productId, size: "M", quantity, newSize, newProductId }];
  const answer = await askReturn(on, user.id, reference, { pieces, reason, words: "See the pictures" });
  if (!answer?.ok) throw new Error(`The return was not taken: ${JSON.stringify(answer)}`);
  return answer.numbers[0] ?? "";
}
