import type { Db } from "#app/infra/database/db.server.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";

/** The price in force from `at` on. null: the product was hidden, and could not be bought. */
export type PriceStep = { at: Date; cents: UsdCents | null };

/** All prices in force that a product has had, the newest first. Undefined if there is no such product. */
export async function priceHistory(on: Db, id: string): Promise<PriceStep[] | undefined> {
  const product = await on.selectFrom("products").select("id").where("id", "=", id).executeTakeFirst();
  if (!product) return;
  const steps = on.selectFrom("priceHistory").select(["at", "priceCents"]).where("productId", "=", id);
  const rows = await steps.orderBy("at", "desc").execute();
  return rows.map(({ at, priceCents }) => ({ at, cents: priceCents === null ? null : usdCents(priceCents) }));
}
