import { sql } from "kysely";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { type Actor, type Change, recordChanges } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { releaseOrder } from "#app/orders/lifecycle.server.ts";
import { lockNumbers } from "#app/orders/receipts/lock.server.ts";
import { restockUnits } from "#app/orders/reservation.server.ts";
import { lockReturn, moveReturn } from "#app/orders/returns/rows.server.ts";
import { isLiveReturnSql } from "#app/orders/returns/state.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import type { Units } from "#app/orders/units.ts";
import { countTill, readTill } from "../money/till.server.ts";
import { IS_EXAMPLE, IS_INVENTED, IS_TRIAL_ORDER, IS_TRIAL_WAY_IN } from "./left.server.ts";
import { markLive } from "./start.server.ts";

export type Mode = "test" | "live";
/**
 * The result of ending a trial. `units`: the pieces put back into stock. `mails`: the unsent mails that were stopped.
 * `customers`: those whose sign-ins have ended. `invented`: the people at addresses for examples who were deleted.
 */
export type Ended = {
  orders: number;
  units: number;
  mails: number;
  staff: string[];
  customers: number;
  invented: { customers: number; subscribers: number };
};

const ACTION = "go-live";

/**
 * Ends a trial in one transaction and keeps only the catalogue. Its orders are marked and release their stock, the sold
 * pieces go back into stock, and its unsent mails, its staff and all sessions end. Recorded sales are not deleted.
 * `unknown` is the mode to set for payments whose mode is not known.
 */
export function endTrial(on: Db, by: Actor, unknown?: Mode): Promise<Ended> {
  return retryingTransaction(on, async (trx): Promise<Ended> => {
    await lockNumbers(trx);
    await sql`lock table payments, orders in share row exclusive mode`.execute(trx); // no payment or refund meanwhile
    if (unknown) await trx.updateTable("payments").set({ mode: unknown }).where("mode", "is", null).execute();
    const orders = await markOrders(trx);
    await endOrders(trx);
    await endReturns(trx);
    await endMoney(trx);
    await endReceipts(trx);
    if (await readTill(trx)) await countTill(trx, by, 0); // so that no later count has cash of the trial
    const units = await backInStock(trx, by);
    const mails = await endMails(trx);
    const people = await endPeople(trx);
    const invented = await deleteInvented(trx);
    await trx.updateTable("orders").set({ trialEndedAt: sql`now()` }).where(IS_ENDING).execute();
    await markLive(trx);
    const ended = { orders, units, mails, ...people, invented };
    const after = { ...ended, ...(unknown && { unknownPayments: unknown }) };
    await recordChanges(trx, [{ by, action: ACTION, subject: { kind: "shop", id: "all" }, after }]);
    return ended;
  });
}

/** A condition in SQL: whether an order belongs to the trial that is being ended. */
const IS_ENDING = sql<boolean>`(trial and trial_ended_at is null)`;
const ENDING = sql`(select reference from payments join orders on orders.id = order_id where ${IS_ENDING})`;

async function markOrders(trx: Transaction): Promise<number> {
  await trx.updateTable("orders").set({ trial: true }).where(IS_TRIAL_ORDER).execute();
  const { count } = await trx
    .selectFrom("orders")
    .select(sql<number>`count(*)::int`.as("count"))
    .where(IS_ENDING)
    .executeTakeFirstOrThrow();
  return count;
}

async function endOrders(trx: Transaction): Promise<void> {
  const live = trx
    .selectFrom("orders")
    .select("id")
    .where(IS_ENDING)
    .where(sql<boolean>`${sql.raw(IS_LIVE)}`);
  for (const { id } of await live.execute()) await releaseOrder(trx, id);
  await sql`
    select hold_offers(order_id, false) from (
      select distinct order_id from offer_uses join orders on orders.id = order_id where ${IS_ENDING} and held
    ) used`.execute(trx);
}

async function endReturns(trx: Transaction): Promise<void> {
  const live = await trx
    .selectFrom("returns")
    .select("number")
    .where(sql<boolean>`reference in ${ENDING} and ${sql.raw(isLiveReturnSql("returns"))}`)
    .execute();
  for (const { number } of live) {
    const found = await lockReturn(trx, number);
    if (found) await moveReturn(trx, found, "decline", { endedAt: new Date() });
  }
}

/** Stops all checks at the provider and resolves the issues. */
async function endMoney(trx: Transaction): Promise<void> {
  const inTrial = sql<boolean>`reference in ${ENDING}`;
  const ended = sql<Date>`now()`;
  const open = ["open", "sent", "failed"] as const;
  await trx
    .updateTable("refunds")
    .set({ state: "void", updatedAt: ended })
    .where(inTrial)
    .where("state", "in", open)
    .execute();
  await trx
    .updateTable("payments")
    .set({ nextCheckAt: null, state: sql`case when state in ('created', 'pending') then 'unpaid' else state end` })
    .where(inTrial)
    .execute();
  await trx
    .updateTable("paymentIssues")
    .set({ resolvedAt: ended })
    .where(inTrial)
    .where("resolvedAt", "is", null)
    .execute();
}

/** Takes back the numbers of receipts and credit notes, so that the first sale for real money gets the first one. */
async function endReceipts(trx: Transaction): Promise<void> {
  const sales = sql`(select id from sales where reference in ${ENDING})`;
  const refunds = sql`(select id from refunds where reference in ${ENDING})`;
  await sql`delete from credit_notes where sale_id in ${sales}`.execute(trx);
  await sql`delete from receipts where sale_id in ${sales}`.execute(trx);
  await sql`delete from receipts_due where sale_id in ${sales} or refund_id in ${refunds}`.execute(trx);
}

/**
 * Puts the pieces of test sales and exchanges back into stock, except those that a refund or return has already put
 * back. None of them was really sent.
 */
async function backInStock(trx: Transaction, by: Actor): Promise<number> {
  const { rows } = await sql<Units & { onHand: number }>`
    select product_id, size, units as quantity, on_hand from (
      select product_id, size, sum(quantity)::int as units from (
        select product_id, size, quantity from sent_pieces() join sales on sales.id = sale_id where reference in ${ENDING}
        union all
        select coalesce(new_product_id, product_id), new_size, quantity from return_pieces join returns on returns.id = return_id
        where reference in ${ENDING} and state = 'done' and wish = 'exchange'
        union all
        select product_id, size, -quantity from return_pieces join returns on returns.id = return_id
        where reference in ${ENDING} and state = 'done' and wish = 'exchange' and restocked
        union all
        select piece."productId", piece.size, -piece.quantity
        from refunds, jsonb_to_recordset(pieces) as piece("productId" text, size text, quantity integer)
        where reference in ${ENDING} and restock
      ) moved group by 1, 2
    ) gone join product_sizes using (product_id, size) where units > 0 order by product_id, size`.execute(trx);
  await restockUnits(trx, rows);
  const changes = Map.groupBy(rows, ({ productId }) => productId);
  await recordChanges(
    trx,
    [...changes].map(([id, sizes]): Change => {
      const stock = (back: 0 | 1) =>
        Object.fromEntries(sizes.map(({ size, onHand, quantity }) => [size, onHand + back * quantity]));
      const subject = { kind: "product", id };
      return { by, action: ACTION, subject, before: { sizes: stock(0) }, after: { sizes: stock(1) } };
    }),
  );
  return rows.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Stops the unsent mails about test orders. */
async function endMails(trx: Transaction): Promise<number> {
  const about = sql`(
    select id::text from orders where ${IS_ENDING}
    union all select id from sales where reference in ${ENDING}
    union all select id::text from refunds where reference in ${ENDING}
    union all select id::text from returns where reference in ${ENDING}
    union all select * from ${ENDING} as named)`;
  const mails = await trx
    .deleteFrom("outbox")
    .where("state", "!=", "sent")
    .where(sql<boolean>`(split_part(idempotency_key, ':', 2) in ${about} or data ->> 'reference' in ${ENDING})`)
    .executeTakeFirst();
  return Number(mails.numDeletedRows);
}

/**
 * Ends all sessions, and deletes the trial's staff and the sign-ins of its customers. Real people must sign in again.
 */
async function endPeople(trx: Transaction): Promise<Pick<Ended, "staff" | "customers">> {
  const staff = await trx.deleteFrom("staff").where(IS_EXAMPLE).returning("email").execute();
  await trx.deleteFrom("staffSessions").execute();
  await trx.deleteFrom("notificationDevices").execute();
  await trx.deleteFrom("sessions").execute();
  const ways = await trx.deleteFrom("accounts").where(IS_TRIAL_WAY_IN).returning("userId").execute();
  const customers = new Set(ways.map(({ userId }) => userId)).size;
  return { staff: staff.map(({ email }) => email).sort(), customers };
}

/**
 * Deletes the trial's customers and subscribers at addresses for examples, where nobody reads mail. A customer with an
 * open order that is none of the trial's stays.
 */
async function deleteInvented(trx: Transaction): Promise<Ended["invented"]> {
  const subscribers = await trx.deleteFrom("subscriptions").where(IS_INVENTED.subscriptions).executeTakeFirst();
  let customers = 0;
  for (const { id } of await trx.selectFrom("users").select("id").where(IS_INVENTED.users).orderBy("id").execute())
    if ((await deleteCustomer(trx, id)).ok) customers++;
  return { customers, subscribers: Number(subscribers.numDeletedRows) };
}
