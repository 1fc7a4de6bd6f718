import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { TURN_LASTS } from "#app/orders/time-limits.ts";
import { MOST_PACE, PACE } from "./pace.ts";

export type OwnedQueue = {
  productId: string;
  title: string;
  opensAt: Date;
  /** The most turns that begin in a minute. */
  pace: number;
  isOpen: boolean;
  waiting: number;
  /** Shoppers who have a turn now and have not ordered in it. */
  inTurn: number;
  /** Turns that became orders, paid or not. */
  ordered: number;
};

/** The queues of all products, or of one. The one that opens first is first. */
export async function listQueues(on: Db, productId?: string): Promise<OwnedQueue[]> {
  const { rows } = await sql<OwnedQueue>`
    select queues.product_id, title, opens_at, pace, opens_at <= now() as is_open, places.*
    from queues join products on products.id = product_id cross join lateral (
      select count(*) filter (where let_in_at is null)::int as waiting,
        count(*) filter (where used_at is null and let_in_at > now() - ${millisecondsSql(TURN_LASTS)})::int as in_turn,
        count(used_at)::int as ordered
      from queue_places where queue_places.product_id = queues.product_id
    ) places
    where ${productId ?? null}::text is null or queues.product_id = ${productId ?? null}
    order by opens_at, queues.product_id`.execute(on);
  return rows;
}

/** Since when a queue is open that the owner may have forgotten: a rush is over by then. */
const FORGOTTEN_AFTER = DAY;

/** The queues that have been open for more than a day, the oldest first. */
export async function forgottenQueues(on: Db): Promise<Pick<OwnedQueue, "productId" | "title" | "opensAt">[]> {
  return on
    .selectFrom("queues")
    .innerJoin("products", "products.id", "productId")
    .select(["productId", "title", "opensAt"])
    .where("opensAt", "<", sql<Date>`now() - ${millisecondsSql(FORGOTTEN_AFTER)}`)
    .orderBy("opensAt")
    .orderBy("productId")
    .execute();
}

export type QueueTerms = { opensAt?: Date; pace?: number };

/**
 * Switches a product's queue on, or changes one. What is not given is now and `PACE` at first, and stays afterwards. An
 * open queue keeps its time, since its places are drawn. Throws a BadInput for a product that does not exist, a time
 * that is over, another time of an open queue, and a pace that is no whole number from 1 to `MOST_PACE`.
 */
export async function switchQueueOn(on: Db, by: Actor, productId: string, terms: QueueTerms): Promise<void> {
  const { pace } = terms;
  if (pace !== undefined && !(Number.isInteger(pace) && pace >= 1 && pace <= MOST_PACE))
    throw new BadInput(`The pace is a whole number from 1 to ${MOST_PACE}`, "pace");
  await retryingTransaction(on, async (trx) => {
    const before = await lockQueue(trx, productId);
    if (!before?.isOpen && terms.opensAt && terms.opensAt < new Date())
      throw new BadInput("This time is over. Leave it empty to open the queue now", "from");
    const opensAt = before?.isOpen ? before.opensAt : laterOf(terms.opensAt ?? before?.opensAt, new Date());
    if (before?.isOpen && terms.opensAt && terms.opensAt.getTime() !== opensAt.getTime())
      throw new BadInput("The queue is open, so its time stays. End it first to start another one", "from");
    const after = { opensAt, pace: pace ?? before?.pace ?? PACE };
    await trx
      .insertInto("queues")
      .values({ productId, ...after })
      .onConflict((conflict) => conflict.column("productId").doUpdateSet(after))
      .execute();
    // The first turn begins with the opening.
    const pacedAt = sql<Date>`${opensAt}::timestamptz - interval '1 minute' / ${after.pace}::int`;
    await trx
      .insertInto("queueRounds")
      .values({ productId, pacedAt })
      .onConflict((conflict) =>
        before?.isOpen ? conflict.doNothing() : conflict.column("productId").doUpdateSet({ pacedAt }),
      )
      .execute();
    await recordChange(trx, {
      by,
      action: "queue on",
      subject: { kind: "product", id: productId },
      ...(before && { before: { queueOpensAt: before.opensAt, queuePace: before.pace } }),
      after: { queueOpensAt: opensAt, queuePace: after.pace },
    });
  });
}

function laterOf(time: Date | undefined, now: Date): Date {
  return time && time > now ? time : now;
}

/** Ends a product's queue: its places are deleted, and everybody can buy. Returns whether there was one. */
export function endQueue(on: Db, by: Actor, productId: string): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const before = await lockQueue(trx, productId);
    if (!before) return false;
    const { switchedOnAt } = await trx
      .deleteFrom("queues")
      .where("productId", "=", productId)
      .returning("switchedOnAt")
      .executeTakeFirstOrThrow();
    await trx.insertInto("endedQueues").values({ productId, switchedOnAt }).execute();
    await recordChange(trx, {
      by,
      action: "queue off",
      subject: { kind: "product", id: productId },
      before: { queueOpensAt: before.opensAt, queuePace: before.pace },
    });
    return true;
  });
}

/** The product's queue. Nobody else switches it on or off before the transaction ends. */
async function lockQueue(trx: Transaction, productId: string) {
  const product = await trx
    .selectFrom("products")
    .select("id")
    .where("id", "=", productId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!product) throw new BadInput(`No product is called ${productId}`);
  return trx
    .selectFrom("queues")
    .select(["opensAt", "pace", sql<boolean>`opens_at <= now()`.as("isOpen")])
    .where("productId", "=", productId)
    .executeTakeFirst();
}
