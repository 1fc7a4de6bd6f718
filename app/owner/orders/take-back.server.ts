import { sql } from "kysely";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { endHandover } from "#app/orders/handover/handover.server.ts";
import { ASIDE } from "./acts.server.ts";
import { changeOrder } from "./change.server.ts";
import type { Done } from "./orders.server.ts";
import { TAKE_BACK_FOR } from "./take-back.ts";

// A step of a delivery that was reported by mistake can be taken back for a while. The shopper hears of it only
// afterwards, so that a mail is never about something that is no longer true.

/** The steps that can be taken back, by the action in the audit log. */
const STEPS: Record<string, string> = {
  "orders pack": "packed",
  "orders fulfil": "sent",
  "orders ready": "ready for pick-up",
  "orders deliver": "delivered",
};

const ACTION = "orders take back";
/** The columns of sales that a step may set. */
const FIELDS = ["packedAt", "fulfilledAt", "carrier", "tracking", "readyAt", "deliveredAt"] as const;
type Side = Partial<Record<(typeof FIELDS)[number], string | null>> & {
  keys?: string[];
  takenBack?: string;
  asksForCode?: true;
};

/** An act that can be taken back: its id in the audit log, its order, and the seconds left. */
export type Takeable = { act: string; number: string; reference: string; seconds: number };

/**
 * The acts on these orders, by their numbers, that can be taken back. `by`: only this member's. `action`: only acts
 * with this name in the audit log.
 */
export async function takeableActs(on: Db, numbers: string[], by?: Actor, action?: string): Promise<Takeable[]> {
  return await actsOfOrders(on, numbers)
    .select(["auditLog.id as act", "orders.number", "payments.reference"])
    .select(sql<number>`ceil(extract(epoch from at - now()) + ${TAKE_BACK_FOR / SECOND})::int`.as("seconds"))
    .where("action", "in", action === undefined ? Object.keys(STEPS) : [action])
    .where(IS_IN_TIME)
    .where(
      sql<boolean>`not exists (
        select from audit_log newer join payments of_it on of_it.reference = newer.subject_id
        where newer.subject_kind = 'order' and of_it.order_id = orders.id and newer.action <> all(${ASIDE}::text[])
          and newer.id > audit_log.id)`,
    )
    .$if(by !== undefined, (query) => query.where("actor", "=", by?.name ?? ""))
    .execute();
}

const IS_IN_TIME = sql<boolean>`at > now() - ${millisecondsSql(TAKE_BACK_FOR)}`;

function actsOfOrders(on: Db | Transaction, numbers: string[]) {
  return on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .innerJoin("auditLog", "subjectId", "payments.reference")
    .where("subjectKind", "=", "order")
    .where("orders.number", "in", ["", ...numbers]);
}

/** The newest act on an order, except for acts that conflict with no other change. */
function newestAct(on: Transaction, number: string) {
  return actsOfOrders(on, [number])
    .select(["auditLog.id", "action", IS_IN_TIME.as("isInTime")])
    .select([sql<Side | null>`before`.as("before"), sql<Side | null>`after`.as("after")])
    .where("action", "not in", ASIDE)
    .orderBy("auditLog.id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Takes back the act with this id: the order is as it was before, and a mail about the act is not sent. Refused once
 * its time is over, or if something else has happened to the order since. Safe to repeat.
 */
export function takeBack(on: Db, by: Actor, { act, number, reference }: Omit<Takeable, "seconds">): Promise<Done> {
  return changeOrder(
    on,
    by,
    ACTION,
    reference,
  )(async (trx) => {
    const newest = await newestAct(trx, number);
    if (newest?.action === ACTION && newest.after?.takenBack === act) return { ...TAKEN_BACK, isRepeat: true };
    const step = newest && STEPS[newest.action];
    if (!step || newest.id !== act) return no("Something else has happened to it since: it can’t be taken back");
    if (!newest.isInTime) return no(`${TAKE_BACK_FOR / SECOND} seconds are over: it can’t be taken back`);
    const { before, after } = newest;
    for (const key of after?.keys ?? []) {
      const mail = trx.deleteFrom("outbox").where("idempotencyKey", "=", key).where("state", "!=", "sent");
      if (!(await mail.returning("id").executeTakeFirst())) return no("Its mail has gone out: it can’t be taken back");
    }
    const changed = FIELDS.filter((field) => (before?.[field] ?? null) !== (after?.[field] ?? null));
    const set = Object.fromEntries(changed.map((field) => [field, before?.[field] ?? null]));
    const sale = trx.updateTable("sales").set(set).where("reference", "=", reference).returning("orderId");
    const { orderId } = await sale.executeTakeFirstOrThrow();
    if (after?.asksForCode) await endHandover(trx, orderId);
    return { ...TAKEN_BACK, what: `no longer marked as ${step}`, recorded: { takenBack: act } };
  });
}

const TAKEN_BACK = { ok: true, what: "taken back" } as const;

function no(problem: string): Done {
  return { ok: false, problem };
}
