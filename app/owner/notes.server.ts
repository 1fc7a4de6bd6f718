import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { Happening } from "./orders/happening.ts";
import type { Done } from "./orders/orders.server.ts";

/** What notes can be about: their table, and its column with the id of an order or an account. */
const ABOUT = {
  order: { table: sql.table("order_notes"), owner: sql.ref("order_id") },
  customer: { table: sql.table("customer_notes"), owner: sql.ref("user_id") },
} as const;
type Kind = keyof typeof ABOUT;

/** A note as it is posted. `id`: a UUID from the form. */
export type Note = { id: string; text: string };

/**
 * Adds a note. A request that is sent twice adds one note; another text with the same id is refused. The text is not
 * copied to the audit log, which calls the note's subject `name`.
 */
export async function writeNote(
  trx: Transaction,
  by: Actor,
  subject: { kind: Kind; id: string; name: string },
  { id, text }: Note,
): Promise<Done> {
  const { kind, name } = subject;
  const { table, owner } = ABOUT[kind];
  const { rows: added } = await sql`
    insert into ${table} (id, ${owner}, author, text) values (${id}, ${subject.id}, ${by.name}, ${text})
    on conflict (id) do nothing returning id`.execute(trx);
  if (added.length === 0) {
    const { rows } = await sql<{ text: string }>`select text from ${table} where id = ${id}`.execute(trx);
    if (rows[0]?.text !== text)
      return { ok: false, problem: "This form has already added another note. Copy yours, and reload the page" };
    return { ok: true, what: "noted", isRepeat: true };
  }
  await recordChange(trx, { by, action: `${kind}s note`, subject: { kind, id: name }, after: { note: id } });
  return { ok: true, what: "noted" };
}

/** The notes about an order or a customer, by its id, newest first. */
export async function notesOn(on: Db, kind: Kind, id: string): Promise<Happening[]> {
  const { table, owner } = ABOUT[kind];
  const { rows } = await sql<{ at: Date; by: string; words: string }>`
    select written_at as at, coalesce(nullif(staff.name, ''), author) as by, text as words
    from ${table} left join staff on staff.email = author where ${owner} = ${id} order by written_at desc`.execute(on);
  return rows.map((row): Happening => ({ ...row, title: "Note", look: "plain" }));
}
