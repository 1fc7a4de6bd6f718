import type { Transaction } from "./database/db.server.ts";

/**
 * Who makes a change, and through which interface. `name` is the operating system's user for a command, and the email
 * address of a member of staff for the office.
 */
export type Actor = { name: string; door: "command" | "office" };
/**
 * A shopper who changes an own order. The log has no door for shoppers, and no personal data of them: the name, which
 * no email address and no user of a system has, tells that it was the order's shopper.
 */
export const SHOPPER: Actor = { name: "the shopper", door: "office" };
/** A delivery that was confirmed by the shopper's code, over a link that opens without an account. */
export const HANDOVER: Actor = { name: "the shopper’s code", door: "office" };
export type Subject = { kind: string; id: string };
/** `before` and `after` hold the changed values, without personal data of customers: entries are never deleted. */
export type Change = { by: Actor; action: string; subject: Subject; before?: object; after?: object };

const json = (value?: object) => (value === undefined ? null : JSON.stringify(value));

/** Records a change, in the transaction that makes it. */
export async function recordChange(trx: Transaction, change: Change): Promise<void> {
  await recordChanges(trx, [change]);
}

const AT_ONCE = 1000;

/** Records many changes, in the transaction that makes them. */
export async function recordChanges(trx: Transaction, changes: readonly Change[]): Promise<void> {
  for (let at = 0; at < changes.length; at += AT_ONCE) {
    const rows = changes.slice(at, at + AT_ONCE).map(({ by, action, subject, before, after }) => ({
      actor: by.name,
      door: by.door,
      action,
      subjectKind: subject.kind,
      subjectId: subject.id,
      before: json(before),
      after: json(after),
    }));
    await trx.insertInto("auditLog").values(rows).execute();
  }
}
