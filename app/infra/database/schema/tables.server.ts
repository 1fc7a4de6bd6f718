import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";

/**
 * The shop's tables in order of creation, so that a table refers only to earlier ones. The tables that record
 * migrations and the stored files of builds are left out.
 */
export async function shopTables(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'p'
      and relname not like 'kysely%' and relname not in ('assets', 'schema_state')
    order by oid`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Runs `fill` while the tables' triggers are disabled: the rows already hold what the triggers would compute. */
export async function withoutTriggers(trx: Transaction, tables: string[], fill: () => Promise<void>): Promise<void> {
  const triggers = async (to: "disable" | "enable") => {
    for (const name of tables) await sql`alter table ${sql.table(name)} ${sql.raw(to)} trigger user`.execute(trx);
  };
  await triggers("disable");
  await fill();
  await triggers("enable");
}

/** Makes each sequence go on `gap` numbers after the largest number in its column. */
export async function continueCounting(trx: Transaction, gap: number): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and a.attidentity <> ''`.execute(trx);
  for (const { table, column } of rows)
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1 + ${gap}::int, false)
      from ${sql.table(table)}`.execute(trx);
}

/** The columns of a table that are not generated, with their types. */
export async function columnsOf(trx: Transaction, schema: string, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = format('%I.%I', ${schema}::text, ${table}::text)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(trx);
  return new Map(rows.map(({ name, type }) => [name, type]));
}
