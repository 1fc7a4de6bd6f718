import { createHash } from "node:crypto";
import { normalPriceSql } from "#app/catalog/prices/in-force.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import { type ProductPlan, planProducts } from "../catalog/product-plan.server.ts";
import { importProducts } from "../catalog/products.server.ts";
import { changedPrice, type PriceChange } from "./price-change.ts";

export type PriceRow = { id: string; title: string; color: string; hidden: boolean; was: UsdCents; becomes: UsdCents };
/**
 * `digest` stands for exactly these changes. `doubts` are changes that look like mistakes. `unknown` are ids of no
 * product.
 */
export type PricePlan = { rows: PriceRow[]; doubts: string[]; unknown: string[]; digest: string };

/** What a change would do to the normal prices of these products, or of all. Changes nothing. */
export async function planPrices(on: Db, ids: string[] | "all", change: PriceChange): Promise<PricePlan> {
  return (await planned(on, ids, change)).plan;
}

/**
 * Changes normal prices as they were planned. Sale prices in percent follow; others stay. If somebody has changed one
 * of the products since, or the rate by which prices are rounded, changes nothing.
 */
export async function changePrices(
  on: Db,
  by: Actor,
  wish: { ids: string[] | "all"; change: PriceChange; digest: string },
): Promise<{ ok: boolean; plan: PricePlan }> {
  const { plan, steps, documents } = await planned(on, wish.ids, wish.change);
  if (plan.digest !== wish.digest) return { ok: false, plan };
  const options = { withStock: false, agreed: plan.doubts, seen: steps, action: "prices change" };
  try {
    await importProducts(on, by, documents, options);
    return { ok: true, plan };
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return { ok: false, plan: await planPrices(on, wish.ids, wish.change) };
  }
}

async function planned(on: Db, ids: string[] | "all", change: PriceChange) {
  const [{ rate }, products] = await Promise.all([rateInForce(on), read(on, ids)]);
  const rows = products
    .map(({ normal, ...row }) => ({
      ...row,
      was: usdCents(normal),
      becomes: changedPrice(usdCents(normal), change, rate),
    }))
    .filter(({ was, becomes }) => was !== becomes);
  const documents = rows.map(({ id, becomes }, at) => ({ number: at + 1, id, normalPrice: becomes, sizes: {} }));
  const steps: ProductPlan = await planProducts(on, documents, { withStock: false });
  const digest = createHash("sha256").update(JSON.stringify(rows.map(({ id, was, becomes }) => [id, was, becomes])));
  const known = new Set(products.map(({ id }) => id));
  const unknown = ids === "all" ? [] : ids.filter((id) => !known.has(id));
  return { plan: { rows, doubts: steps.doubts, unknown, digest: digest.digest("base64url") }, steps, documents };
}

function read(on: Db, ids: string[] | "all") {
  return on
    .selectFrom("products")
    .select(["id", "title", "color", "hidden", normalPriceSql().as("normal")])
    .$if(ids !== "all", (query) => query.where("id", "in", ids.length > 0 ? [...ids] : [""]))
    .orderBy("position")
    .orderBy("id")
    .execute();
}
