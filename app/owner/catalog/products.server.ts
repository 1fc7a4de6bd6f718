import { sql } from "kysely";
import type { PreparedProduct } from "#app/catalog/documents/product.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { type PlanOptions, type ProductPlan, planProducts } from "./product-plan.server.ts";

/** Imports products as planned; `agreed` holds the doubts that somebody has said yes to, and any other one ends it with nothing done. */
export async function importProducts(
  on: Db,
  by: Actor,
  products: PreparedProduct[],
  { agreed, ...options }: PlanOptions & { agreed: string[] },
): Promise<ProductPlan> {
  return retryingTransaction(on, async (trx) => {
    const plan = await planProducts(trx, products, options);
    const unasked = plan.doubts.filter((doubt) => !agreed.includes(doubt));
    if (plan.problems.length + unasked.length > 0)
      throw new BadInput(
        ["The shop has changed meanwhile: nothing was imported.", ...plan.problems, ...unasked].join("\n"),
      );
    await writeProducts(trx, plan);
    for (const { id, before, after } of [...plan.created, ...plan.changed])
      await recordChange(trx, { by, action: "products import", subject: { kind: "product", id }, before, after });
    return plan;
  });
}

/** Carries a plan out, in the transaction in which it was made. */
export async function writeProducts(
  trx: Transaction,
  { created, changed }: Pick<ProductPlan, "created" | "changed">,
): Promise<void> {
  const { last } = await trx
    .selectFrom("products")
    .select(sql<number>`coalesce(max(position), -1)`.as("last"))
    .executeTakeFirstOrThrow();
  for (const [index, { id, after, priceCents = 0, images = [], publishAt }] of created.entries()) {
    const { title = "", color = "", price: _, images: __, sizes, details = {}, ...rest } = after;
    const json = { images: JSON.stringify(images), details: JSON.stringify(details) };
    await trx
      .insertInto("products")
      .values({ id, title, color, priceCents, ...rest, ...json, publishAt, position: last + 1 + index })
      .execute();
    await publishLater(trx, publishAt);
    await writeSizes(trx, id, sizes);
  }
  for (const { id, after, priceCents, images, publishAt } of changed) {
    const { price: _, images: __, sizes, details, ...rest } = after;
    await trx
      .updateTable("products")
      .set({
        ...rest,
        priceCents,
        publishAt: rest.hidden === false ? null : publishAt,
        images: images && JSON.stringify(images),
        details: details && JSON.stringify(details),
      })
      .set({ updatedAt: sql`now()` })
      .where("id", "=", id)
      .execute();
    await publishLater(trx, publishAt);
    await writeSizes(trx, id, sizes);
  }
  await enqueue(trx, "make-pictures", {});
}

async function publishLater(trx: Transaction, publishAt?: Date | null): Promise<void> {
  if (publishAt) await enqueue(trx, "publish-products", {}, { startAfter: publishAt });
}

async function writeSizes(trx: Transaction, id: string, sizes: Record<string, number> = {}): Promise<void> {
  for (const [size, onHand] of Object.entries(sizes))
    await sql`
      insert into product_sizes as s (product_id, size, supplied) values (${id}, ${size}, ${onHand})
      on conflict (product_id, size) do update set supplied = s.sold + ${onHand}`.execute(trx);
}

/**
 * Takes a product out of the shop, or into it again: at once, or hidden until `publishAt`. False where there is none of this id, or it is so already.
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
    await trx.updateTable("products").set({ hidden, publishAt, updatedAt: sql`now()` }).where("id", "=", id).execute();
    await publishLater(trx, publishAt);
    const action = hidden && !publishAt ? "products hide" : "products show";
    const [before, after] = [
      { hidden: now.hidden, ...times(now.publishAt) },
      { hidden, ...times(publishAt) },
    ];
    await recordChange(trx, { by, action, subject: { kind: "product", id }, before, after });
    return true;
  });
}

const times = (publishAt: Date | null) => (publishAt ? { publishAt } : {});
