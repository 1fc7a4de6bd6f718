import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import type { Shortage } from "./units.ts";

/** Logs why each size falls short: the product is not for sale, has no such size, or has too few pieces. */
export async function logShortages(on: Db | Transaction, short: readonly Shortage[]): Promise<void> {
  const ids = [...new Set(short.map(({ productId }) => productId))];
  const products = await on
    .selectFrom("products")
    .select("id")
    .where("id", "in", ids)
    .where("hidden", "=", false)
    .execute();
  const sizes = await on
    .selectFrom("productSizes")
    .select(["productId", "size"])
    .where("productId", "in", ids)
    .execute();
  for (const { productId: product, size, quantity: wanted, available } of short) {
    if (!products.some(({ id }) => id === product)) logInternalError("productNotFound", { product, size });
    else if (!sizes.some((one) => one.productId === product && one.size === size))
      logInternalError("sizeNotFound", { product, size });
    else logInternalError("insufficientQuantity", { product, size, wanted, available });
  }
}
