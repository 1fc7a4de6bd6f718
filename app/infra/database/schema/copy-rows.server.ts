import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import type { Objects } from "./describe.server.ts";
import { FILLED_COLUMNS, FORMER_COLUMNS, FORMER_TABLES, GONE_COLUMNS } from "./names-before-0.1.0.ts";
import { columnsOf } from "./tables.server.ts";

type Source = { schema: string; table: string };

/**
 * Copies all rows into `target`, in the order in which they were made; a column that the source lacks gets its default.
 */
export async function copyRows(trx: Transaction, source: Source, target: string): Promise<void> {
  const has = await columnsOf(trx, source.schema, source.table);
  const columns: string[] = [];
  const values: string[] = [];
  for (const [column, type] of await columnsOf(trx, "public", target)) {
    const from = [column, FORMER_COLUMNS[`${target}.${column}`] ?? ""].find((name) => has.has(name));
    const value = from ? `"${from}"` : FILLED_COLUMNS[`${target}.${column}`];
    if (!value) continue;
    columns.push(column);
    values.push(`${value}::${type}`);
  }
  const order = has.has("created_at") ? sql`order by created_at` : sql``;
  await sql`
    insert into ${sql.table(target)} (${sql.join(columns.map((column) => sql.ref(column)))}) overriding system value
    select ${sql.raw(values.join(", "))} from ${sql.table(`${source.schema}.${source.table}`)} ${order}`.execute(trx);
}

/** Throws if the source has a column that no version of the shop knows: its values would be lost. */
export async function refuseUnknownColumns(
  trx: Transaction,
  { schema, table }: Source,
  wanted: Objects,
): Promise<void> {
  const today = Object.keys(FORMER_TABLES).find((name) => FORMER_TABLES[name] === table) ?? table;
  const former = Object.entries(FORMER_COLUMNS).flatMap(([name, before]) =>
    name.startsWith(`${today}.`) ? [before] : [],
  );
  for (const column of (await columnsOf(trx, schema, table)).keys()) {
    const isKnown = `column ${today}.${column}` in wanted || former.includes(column);
    if (!isKnown && !GONE_COLUMNS.includes(`${today}.${column}`))
      throw new Error(`no version of the shop has a column ${table}.${column}, and what is in it would be lost`);
  }
}
