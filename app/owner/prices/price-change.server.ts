import { createHash } from "node:crypto";
import { normalPriceSql } from "#app/catalog/prices/in-force.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { formatUsd } from "#app/money/format.ts";
import { MOST_CENTS, type UsdCents, usdCents } from "#app/money/money.ts";
import { type ProductPlan, planProducts } from "../catalog/product-plan.server.ts";
import { importProducts } from "../catalog/products.server.ts";
import { changedCents, type NairaStep, type SumChange } from "./sum-change.ts";

export type PriceRow = { id: string; title: string; color: string; hidden: boolean; was: UsdCents; becomes: UsdCents };
/**
 * `digest` identifies exactly these changes. `doubts` are changes that look like mistakes. `unknown` are ids without a
 * product. `tooMuch` names a product whose price would be nothing, or too large to be stored.
 */
export type PricePlan = { rows: PriceRow[]; doubts: string[]; unknown: string[]; tooMuch?: string; digest: string };
/**
 * Which normal prices change, by how much and rounded to a multiple of how many naira; or the one price that they get.
 */
type Wish = { ids: string[] | "all" } & ({ change: SumChange; step: NairaStep } | { price: UsdCents });

/** What a change would do to the normal prices of these products, or of all. Changes nothing. */
export async function planPrices(on: Db, wish: Wish): Promise<PricePlan> {
  return (await planned(on, wish)).plan;
}

/**
 * Changes normal prices as planned. Sale prices in percent change with them; other sale prices stay. If the plan is
 * different now, because a product or the exchange rate for rounding has changed, nothing is changed.
 */
export async function changePrices(
  on: Db,
  by: Actor,
  wish: Wish & { digest: string; action?: string },
): Promise<{ ok: boolean; plan: PricePlan }> {
  const { plan, steps, documents } = await planned(on, wish);
  if (plan.digest !== wish.digest) return { ok: false, plan };
  const options = { withStock: false, agreed: plan.doubts, seen: steps, action: wish.action ?? "prices change" };
  try {
    await importProducts(on, by, documents, options);
    return { ok: true, plan };
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return { ok: false, plan: await planPrices(on, wish) };
  }
}

async function planned(on: Db, { ids, ...wish }: Wish) {
  const [{ rate }, products] = await Promise.all([rateInForce(on), read(on, ids)]);
  const all = products.map(({ normal: was, ...row }) => ({
    ...row,
    was,
    becomes: "price" in wish ? wish.price : changedCents(was, wish.change, wish.step, rate),
  }));
  const wrong = all.find(({ becomes }) => becomes < 1 || becomes > MOST_CENTS);
  const tooMuch = wrong && `${wrong.title} costs ${formatUsd(usdCents(wrong.was))} now`;
  const rows = wrong
    ? []
    : all
        .filter(({ was, becomes }) => was !== becomes)
        .map((row): PriceRow => ({ ...row, was: usdCents(row.was), becomes: usdCents(row.becomes) }));
  const documents = rows.map(({ id, becomes }, at) => ({ number: at + 1, id, normalPrice: becomes, sizes: {} }));
  const steps: ProductPlan = await planProducts(on, documents, { withStock: false });
  const digest = createHash("sha256").update(JSON.stringify(rows.map(({ id, was, becomes }) => [id, was, becomes])));
  const known = new Set(products.map(({ id }) => id));
  const unknown = ids === "all" ? [] : ids.filter((id) => !known.has(id));
  const plan: PricePlan = { rows, doubts: steps.doubts, unknown, tooMuch, digest: digest.digest("base64url") };
  return { plan, steps, documents };
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
