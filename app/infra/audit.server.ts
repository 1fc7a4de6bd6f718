import type { Transaction } from "./database/db.server.ts";

/** Who changes something, and where they came in. `name` is that of the system's user, or the address of a member of staff. */
export type Actor = { name: string; door: "command" | "office" };
export type Subject = { kind: string; id: string };
/** `before` and `after` hold what has changed, and no personal data of customers: the log is never shortened. */
export type Change = { by: Actor; action: string; subject: Subject; before?: object; after?: object };

const json = (value?: object) => (value === undefined ? null : JSON.stringify(value));

/** Writes a change down, in its own transaction. */
export async function recordChange(trx: Transaction, change: Change): Promise<void> {
  await recordChanges(trx, [change]);
}

const AT_ONCE = 1000;

/** Writes many changes down, in their own transaction. */
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
