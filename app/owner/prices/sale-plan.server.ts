import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { applyDuePrices } from "#app/catalog/prices/apply.server.ts";
import { normalPriceSql } from "#app/catalog/prices/in-force.server.ts";
import { type Actor, type Change, recordChanges } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { formatUsd } from "#app/money/format.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import type { SaleItem, SaleRow, SaleTerms } from "./sale-items.ts";

export type SalePlan = { id: string; rows: SaleRow[]; problems: { id: string; text: string }[]; late?: true };

/** Thrown to roll back the transaction in which a plan was tried out. */
class NotSaved extends Error {
  readonly plan: SalePlan;
  constructor(plan: SalePlan) {
    super("The plan wasn’t saved");
    this.plan = plan;
  }
}

/**
 * Plans sale prices, all or none. Without `saves`, or if there is a problem, nothing changes and the plan is a preview:
 * the transaction writes the sale prices, reads the result, and is rolled back.
 */
export async function planSale(
  on: Db,
  by: Actor,
  items: readonly SaleItem[],
  terms: SaleTerms,
  { saves }: { saves: boolean },
): Promise<SalePlan> {
  const id = randomUUID();
  const plan = await retryingTransaction(on, async (trx) => {
    if (await isOver(trx, terms)) throw new NotSaved({ id, rows: [], problems: [], late: true });
    await insertPlan(trx, id, items, terms);
    const made = await readPlan(trx, id, items);
    if (!saves || made.problems.length > 0) throw new NotSaved(made);
    await recordChanges(
      trx,
      items.map((item) => ({ by, ...planned(item, id, terms) })),
    );
    for (const startAfter of [terms.startsAt, terms.endsAt])
      if (startAfter) await enqueue(trx, "apply-prices", {}, { startAfter });
    return made;
  }).catch((error) => {
    if (error instanceof NotSaved) return error.plan;
    throw error;
  });
  if (saves) await applyDuePrices(on);
  return plan;
}

function planned({ id, priceCents, percent }: SaleItem, plan: string, terms: SaleTerms): Omit<Change, "by"> {
  const price = priceCents === undefined ? { salePercent: percent } : { salePrice: dollars(usdCents(priceCents)) };
  const { startsAt: saleFrom, endsAt: saleUntil, finalSale } = terms;
  const after = { ...price, saleFrom, saleUntil, ...(finalSale && { finalSale }), plan };
  return { action: "prices sale", subject: { kind: "product", id }, after };
}

const startSql = ({ startsAt }: SaleTerms) => sql`greatest(coalesce(${startsAt ?? null}::timestamptz, now()), now())`;

async function isOver(trx: Transaction, terms: SaleTerms): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`
    select coalesce(${terms.endsAt ?? null}::timestamptz <= ${startSql(terms)}, false) as over`.execute(trx);
  return rows[0]?.over ?? false;
}

const itemsSql = (items: readonly SaleItem[]) => sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
  as item(id text, "priceCents" integer, percent integer)`;

async function insertPlan(trx: Transaction, id: string, items: readonly SaleItem[], terms: SaleTerms): Promise<void> {
  await sql`
    insert into sale_prices (plan_id, product_id, price_cents, percent, starts_at, ends_at, final_sale)
    select ${id}::uuid, products.id, "priceCents", percent, ${startSql(terms)}, ${terms.endsAt ?? null}::timestamptz, ${terms.finalSale}::boolean
    from ${itemsSql(items)} join products using (id) order by products.id`.execute(trx);
}

async function readPlan(trx: Transaction, id: string, items: readonly SaleItem[]): Promise<SalePlan> {
  const known = await sql<SaleRow & { ownCents: number }>`
    select products.id, title, color, hidden, ${normalPriceSql()} as normal_cents, then_.price_cents, then_.old_cents,
      coalesce(s.price_cents, ${normalPriceSql()} * (100 - s.percent) / 100) as own_cents, (
        select case when bool_and(next is not null) then max(next) + interval '720 hours' end
        from (select price_cents, lead(at) over (order by at) as next from price_history where product_id = products.id) h
        where h.price_cents <= then_.price_cents
      ) as old_from
    from sale_prices s join products on products.id = s.product_id
      cross join lateral price_at(products.id, ${normalPriceSql()}, s.starts_at) as then_
    where s.plan_id = ${id} order by products.position, products.id`.execute(trx);
  const ids = new Set(known.rows.map((row) => row.id));
  const problems = [
    ...items.flatMap((item) => (ids.has(item.id) ? [] : [{ id: item.id, text: "There’s no such product" }])),
    ...items.flatMap((item, at) =>
      items.findIndex(({ id }) => id === item.id) < at ? [{ id: item.id, text: "It is there twice" }] : [],
    ),
    ...known.rows.flatMap(({ id, normalCents, ownCents }) =>
      ownCents < normalCents
        ? []
        : [{ id, text: `It isn’t below the normal price, ${formatUsd(usdCents(normalCents))}` }],
    ),
  ];
  return { id, rows: known.rows.map(({ ownCents: _, ...row }) => row), problems };
}

/** The ids of all products of a kind, hidden ones too. */
export async function idsOfKind(on: Db, kind: string): Promise<string[]> {
  const rows = await on
    .selectFrom("products")
    .select("id")
    .where(sql<boolean>`kinds @> array[${kind}]`)
    .orderBy("position")
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Ends the sale prices of a plan that are running and deletes those that have not begun, for all of its products or for
 * one. Returns the number of products with a change. Safe to repeat.
 */
export async function endSale(on: Db, by: Actor, planId: string, productId?: string): Promise<number> {
  const ended = await retryingTransaction(on, async (trx) => {
    const rows = await trx
      .selectFrom("salePrices")
      .select(["id", "productId", sql<boolean>`starts_at > now()`.as("waits")])
      .where("planId", "=", planId)
      .where(sql<boolean>`(ends_at is null or ends_at > now())`)
      .$if(productId !== undefined, (query) => query.where("productId", "=", productId ?? ""))
      .orderBy("productId")
      .forUpdate()
      .execute();
    const idsOf = (waits: boolean) => rows.flatMap((row) => (row.waits === waits ? row.id : []));
    await sql`delete from sale_prices where id = any(${idsOf(true)}::uuid[])`.execute(trx);
    await sql`update sale_prices set ends_at = now() where id = any(${idsOf(false)}::uuid[])`.execute(trx);
    const change = (id: string) => ({
      by,
      action: "prices end",
      subject: { kind: "product", id },
      after: { plan: planId },
    });
    await recordChanges(
      trx,
      rows.map((row) => change(row.productId)),
    );
    return rows.length;
  });
  if (ended > 0) await applyDuePrices(on);
  return ended;
}
