import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "#app/infra/database/migrate.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();

type Column = { type: string; isNull: boolean };

/** What a type of db/types.ts stands for in PostgreSQL, the first that fits. */
const STANDS_FOR: [RegExp, string][] = [
  [/^(Time|DefaultTime|Date|ColumnType<Date)\b/, "timestamp with time zone"],
  [/^(Generated<)?boolean/, "boolean"],
  [/^(Generated<)?number|^ColumnType<number/, "integer"],
  [/^Buffer/, "bytea"],
  [/^BigInteger|^ColumnType<string( \| null)?, (never|.*number)/, "bigint"],
  [/^Numeric/, "numeric"],
  [/^Json<|^ColumnType<(Record<|RefundedPiece|ProductDetails)/, "jsonb"],
  [/^(Generated<)?(string|ProductKind)\[\]/, "ARRAY"],
  [/^(Generated<)?(string|")/, "text"],
];

/** The columns as db/types.ts has them, by `table.column` in SQL's words. */
function declared(): Map<string, Column> {
  const [, tables = ""] = readFileSync("db/types.ts", "utf8").split("export type Database = {\n");
  const sqlName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const columns = new Map<string, Column>();
  const inLines = tables.replace(/^ {2}(\w+): \{ (.*) \};$/gm, (_, table, list) =>
    [`  ${table}: {`, ...list.split("; ").map((one: string) => `    ${one};`), "  };"].join("\n"),
  );
  let table = "";
  for (const line of inLines.split("\n")) {
    table = /^ {2}(\w+): \{$/.exec(line)?.[1] ?? table;
    const [, name, type = ""] = /^ {4}(\w+): (.*?);?;(?: \/\/.*)?$/.exec(line) ?? [];
    if (!name) continue;
    const known = STANDS_FOR.find(([pattern]) => pattern.test(type))?.[1] ?? `unknown: ${type}`;
    columns.set(`${sqlName(table)}.${sqlName(name)}`, {
      type: known,
      isNull: /(^|\w|>) ?\| null$|<string \| null/.test(type),
    });
  }
  return columns;
}

/** Kysely reads them all as text. */
const AS_TEXT = ["uuid", "xid8", "tsvector"];

test("db/types.ts has the columns of the database, with their types and whether they may be null", async () => {
  const { rows } = await sql<{ name: string; type: string; isNull: boolean; isIdentity: boolean }>`
    select c.table_name || '.' || column_name as name, data_type as type, is_nullable = 'YES' as is_null, is_identity = 'YES' as is_identity
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
  `.execute(database.db());
  const inDatabase = rows.map(({ name, type, isNull, isIdentity }): [string, Column] => {
    const isText = AS_TEXT.includes(type) || isIdentity; // an identity is written by the database and read as text
    return [name, { type: isText ? "text" : type, isNull }];
  });
  const known = declared();
  expect(known.size).toBeGreaterThan(100);
  const byName = ([a]: [string, Column], [b]: [string, Column]) => a.localeCompare(b);
  const unasked = ([name]: [string, Column]) => !/^catalog_(changes|era)\./.test(name);
  expect([...known].sort(byName)).toEqual(inDatabase.filter(unasked).sort(byName));
});

test("migrations after the first only add: the version before works on what they leave", () => {
  const [, ...later] = readdirSync("db/migrations").sort();
  const takesAway = /\b(drop|rename|truncate|delete|set not null|type)\b/i;
  for (const file of later) expect(readFileSync(`db/migrations/${file}`, "utf8")).not.toMatch(takesAway);
});

test("migrating a second time does nothing", async () => {
  expect(await migrate(database.db())).toEqual([]);
});

test("a job asked for in a transaction that fails is never there", async () => {
  const failing = database
    .db()
    .transaction()
    .execute(async (trx) => {
      await enqueue(trx, "send-mail", { id: "1" });
      throw new Error("no");
    });
  await expect(failing).rejects.toThrow("no");
  const { rows } = await sql`select from jobs.job where name = 'send-mail'`.execute(database.db());
  expect(rows).toHaveLength(0);
});
