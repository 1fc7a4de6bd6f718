import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { PreparedProduct } from "#app/catalog/documents/product.server.ts";
import { type Actor, recordChange, recordChanges } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { type Fields, type Planned, type PlanOptions, type ProductPlan, planProducts } from "./product-plan.server.ts";
import { publishLater } from "./publish-later.server.ts";

type ImportOptions = PlanOptions & {
  /** The doubts that the owner has confirmed. */
  agreed: string[];
  /** The plan that the owner has seen. */
  seen?: ProductPlan;
  /** What the audit log calls the change. */
  action?: string;
  /** Called with the number of products written. */
  onProgress?: (done: number) => void;
};

/**
 * Imports products. If there is a doubt that was not agreed to, or the plan differs from the one that was seen, changes
 * nothing.
 */
export async function importProducts(
  on: Db,
  by: Actor,
  products: PreparedProduct[],
  { agreed, seen, action = "products import", onProgress, ...options }: ImportOptions,
): Promise<ProductPlan> {
  return retryingTransaction(on, async (trx) => {
    const plan = await planProducts(trx, products, options);
    const unasked = plan.doubts.filter((doubt) => !agreed.includes(doubt));
    const moved = seen ? differing(plan, seen).map((id) => `${id} has been changed.`) : [];
    const wrong = [...plan.problems.map(({ text }) => text), ...unasked, ...moved];
    if (wrong.length > 0) throw new BadInput(["The shop has changed, so nothing was imported.", ...wrong].join("\n"));
    await writeProducts(trx, plan, onProgress);
    await recordChanges(
      trx,
      [...plan.created, ...plan.changed].map(({ id, before, after }) => ({
        by,
        action,
        subject: { kind: "product", id },
        before,
        after,
      })),
    );
    return plan;
  });
}

/** The ids of products on which two plans differ. */
function differing(plan: ProductPlan, seen: ProductPlan): string[] {
  const steps = ({ created, changed }: ProductPlan) =>
    new Map([...created, ...changed].map(({ id, before, after }) => [id, { before, after }]));
  const [now, then] = [steps(plan), steps(seen)];
  return [...new Set([...now.keys(), ...then.keys()])].filter((id) => !isDeepStrictEqual(now.get(id), then.get(id)));
}

const AT_ONCE = 500;

/** Executes a plan in the transaction in which it was made. */
export async function writeProducts(
  trx: Transaction,
  { created, changed }: Pick<ProductPlan, "created" | "changed">,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const { last } = await trx
    .selectFrom("products")
    .select(sql<number>`coalesce(max(position), -1)`.as("last"))
    .executeTakeFirstOrThrow();
  const news = created.map((one, index) => ({
    ...columnsOf(one),
    images: one.images ?? [],
    details: one.after.details ?? {},
    position: last + 1 + index,
  }));
  for (const part of alike(news)) {
    const names = columnNamesSql(part);
    await sql`insert into products (${names}) select ${names} from ${productRowsSql(part)}`.execute(trx);
  }
  for (const part of alike(changed.map(columnsOf))) {
    const sets = columnsIn(part).map((name) => sql`${sql.ref(name)} = new.${sql.ref(name)}`);
    await sql`update products set ${sql.join([...sets, sql`updated_at = now()`])} from ${productRowsSql(part)} as new
      where products.id = new.id`.execute(trx);
  }
  const all = [...created, ...changed];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await writeSizes(trx, all.slice(at, at + AT_ONCE));
    onProgress(Math.min(all.length, at + AT_ONCE));
  }
  await enqueue(trx, "make-pictures", {});
}

/** The columns to write for a product. */
function columnsOf({ id, after, priceCents, images }: Planned): Record<string, unknown> & { id: string } {
  const { price: _, images: __, sizes: ___, ...rest } = after;
  const given = Object.entries({ ...rest, priceCents, normalCents: priceCents, images }).filter(
    ([, value]) => value !== undefined,
  );
  return { id, ...Object.fromEntries(given.map(([name, value]) => [columnOf(name), value])) };
}

const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Splits rows into batches for one statement each. All rows of a batch have the same columns. */
function alike<Row extends object>(rows: Row[]): Row[][] {
  const groups = [...Map.groupBy(rows, (row) => Object.keys(row).sort().join()).values()];
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / AT_ONCE) }, (_, at) => group.slice(at * AT_ONCE, (at + 1) * AT_ONCE)),
  );
}

const columnsIn = ([row]: object[]) => Object.keys(row ?? {});
const columnNamesSql = (rows: object[]) => sql.join(columnsIn(rows).map((name) => sql.ref(name)));
/** A table of the rows, with each value converted to its column's type. */
const productRowsSql = (rows: object[]) =>
  sql`jsonb_populate_recordset(null::products, ${JSON.stringify(rows)}::jsonb)`;

/**
 * Writes the stock of sizes. A new size that past sales already contain, for example imported ones, starts with these
 * pieces counted as supplied and sold.
 */
async function writeSizes(trx: Transaction, products: { id: string; after: Fields }[]): Promise<void> {
  const sizes = products.flatMap(({ id, after }) =>
    Object.entries(after.sizes ?? {}).map(([size, units]) => ({ id, size, units })),
  );
  await sql`
    insert into product_sizes as s (product_id, size, supplied, sold)
    select id, given.size, units + past.sold, past.sold
    from jsonb_to_recordset(${JSON.stringify(sizes)}::jsonb) as given(id text, size text, units integer), lateral (
      select coalesce(sum(quantity), 0)::int as sold
      from sent_pieces() sent where sent.product_id = id and sent.size = given.size
    ) past order by id, given.size
    on conflict (product_id, size) do update set supplied = s.sold + excluded.supplied - excluded.sold`.execute(trx);
}

/**
 * Hides a product or shows it, at once or at `publishAt`. Returns false if there is no such product or nothing changes.
 */
export async function setHidden(
  on: Db,
  by: Actor,
  id: string,
  hidden: boolean,
  publishAt: Date | null = null,
): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const now = await trx
      .selectFrom("products")
      .select(["hidden", "publishAt"])
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!now || (now.hidden === hidden && now.publishAt?.getTime() === publishAt?.getTime())) return false;
    await trx.updateTable("products").set({ hidden, updatedAt: sql`now()` }).where("id", "=", id).execute();
    await publishLater(trx, id, publishAt);
    const action = hidden && !publishAt ? "products hide" : "products show";
    const publication = (at: Date | null) => (at ? { publishAt: at } : {});
    const [before, after] = [
      { hidden: now.hidden, ...publication(now.publishAt) },
      { hidden, ...publication(publishAt) },
    ];
    await recordChange(trx, { by, action, subject: { kind: "product", id }, before, after });
    return true;
  });
}
