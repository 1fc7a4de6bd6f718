import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "#app/infra/database/migrate.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();

type Column = { type: string; isNull: boolean };

/** The PostgreSQL type of each type in db/types.ts; the first pattern that matches counts. */
const STANDS_FOR: [RegExp, string][] = [
  [/^(Time|DefaultTime|Date|ColumnType<Date)\b/, "timestamp with time zone"],
  [/^(Generated<)?boolean/, "boolean"],
  [/^(Generated<)?number|^ColumnType<number/, "integer"],
  [/^Buffer/, "bytea"],
  [/^BigInteger|^ColumnType<string( \| null)?, (never|.*number)/, "bigint"],
  [/^Numeric/, "numeric"],
  [/^Json<|^ColumnType<(Record<|RefundedPiece|ProductDetails)/, "jsonb"],
  [/^(Generated<)?(string|ProductKind|Buffer)\[\]/, "ARRAY"],
  [/^(Generated<)?(string|")/, "text"],
];

/** The columns that db/types.ts declares, by `table.column` in SQL's spelling. */
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

/** Types of columns that Kysely returns as text. */
const AS_TEXT = ["uuid", "xid8", "tsvector"];

test("db/types.ts has the columns of the database, with their types and whether they may be null", async () => {
  const { rows } = await sql<{ name: string; type: string; isNull: boolean; isIdentity: boolean }>`
    select c.table_name || '.' || column_name as name, data_type as type, is_nullable = 'YES' as is_null, is_identity = 'YES' as is_identity
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
  `.execute(database.db());
  const inDatabase = rows.map(({ name, type, isNull, isIdentity }): [string, Column] => {
    const isText = AS_TEXT.includes(type) || (isIdentity && type === "bigint"); // such identities are read as text
    return [name, { type: isText ? "text" : type, isNull }];
  });
  const known = declared();
  expect(known.size).toBeGreaterThan(100);
  const byName = ([a]: [string, Column], [b]: [string, Column]) => a.localeCompare(b);
  const unasked = ([name]: [string, Column]) => !/^catalog_(changes|era)\./.test(name);
  expect([...known].sort(byName)).toEqual(inDatabase.filter(unasked).sort(byName));
});

/** Replaces the list of values that a column may have, in the one form that reads no row while the table is locked. */
const LIST_REPLACED =
  /alter table (\w+)\s+drop constraint (\w+),\s+add constraint \2 check \((\w+) in \(([^()]+)\)\) not valid;/g;

/** A migration without the lists that it makes longer; `earlier`: the text of all migrations before it. */
function withoutLongerLists(text: string, earlier: string): string {
  return text.replace(LIST_REPLACED, (statement, table: string, name: string, column: string, list: string) => {
    const check = new RegExp(`table ${table}\\b[^;]*?\\bcheck \\(${column} in \\(([^()]+)\\)\\)`, "g");
    const former = [...earlier.matchAll(check)].at(-1)?.[1]?.split(/,\s*/);
    const values = list.split(/,\s*/);
    const isLonger = former?.every((value) => values.includes(value)) && name === `${table}_${column}_check`;
    return isLonger ? "" : statement;
  });
}

/** A trigger takes the place of the list of values that a column of lists may have: rows say what they are. */
const ROWS_INSTEAD_OF_LIST =
  /alter table (\w+) drop constraint \1_(\w+)_check;\s+create trigger check_\2 before insert or update of \2 on \1 for each row execute function check_\2\(\);/g;

/** A migration without the lists whose values it inserts as rows; `earlier`: the text of all migrations before it. */
function withoutListsInRows(text: string, earlier: string): string {
  const inserted = [...text.matchAll(/insert into \w+ values ([^;]+);/g)].map(([, rows = ""]) => rows);
  return text.replace(ROWS_INSTEAD_OF_LIST, (statement, table: string, column: string) => {
    const list = new RegExp(`table ${table}\\b[^;]*?\\bcheck \\(${column} <@ '\\{([^}]+)\\}'\\)`, "g");
    const former = [...earlier.matchAll(list)].at(-1)?.[1]?.split(",");
    const areRows = former && inserted.some((rows) => former.every((value) => rows.includes(`('${value}',`)));
    return areRows ? "" : statement;
  });
}

// "drop expression" removes no data: the values stay, and a trigger writes what was generated.
const TAKES_AWAY = /\b((?<!on commit )drop(?! expression\b)|rename|truncate|delete|set not null|type)\b/i;
const OF_NEW_TABLES = /references \w+ on delete cascade/g; // for rows that the previous version deletes, too
/** Tells that what pages show has changed. The previous version may do so at any time, too. */
const RECORDS_CHANGES =
  /create trigger record_change after insert or update or delete or truncate on \w+\s+for each statement execute function record_catalog_change\(\);/g;

/** Whether the version before works on what a migration leaves; `earlier`: the text of all migrations before it. */
const onlyAdds = (text: string, earlier: string) =>
  !TAKES_AWAY.test(
    withoutListsInRows(withoutLongerLists(text, earlier), earlier)
      .replaceAll(OF_NEW_TABLES, "")
      .replaceAll(RECORDS_CHANGES, ""),
  );

test("migrations after the first only add: the version before works on what they leave", () => {
  let earlier = "";
  for (const file of readdirSync("db/migrations").sort()) {
    const text = readFileSync(`db/migrations/${file}`, "utf8");
    if (earlier) expect(onlyAdds(text, earlier), file).toBe(true);
    earlier += text;
  }
});

const replaced = (list: string, end = " not valid;", name = "mails_state_check", column = "state") =>
  `alter table mails drop constraint ${name}, add constraint ${name} check (${column} in (${list}))${end}`;
const LONGER = replaced("'queued', 'sent', 'failed'");
const inRows = (column: string, rows: string) =>
  `insert into known values ${rows};\nalter table mails drop constraint mails_${column}_check;\ncreate trigger check_${column} before insert or update of ${column} on mails for each row execute function check_${column}();`;

test.each([
  ["a column is added", "alter table mails add column seen boolean;", true],
  ["a list of values is made longer", LONGER, true],
  ["a list is made longer a second time", `${LONGER}\n${replaced("'sent', 'queued', 'failed', 'seen'")}`, true],
  ["a list loses a value", replaced("'queued', 'failed'"), false],
  ["every row is read while the table is locked", replaced("'queued', 'sent', 'failed'", ";"), false],
  ["a constraint goes", "alter table mails drop constraint mails_state_check;", false],
  [
    "the list is that of another column",
    replaced("'queued', 'sent'", " not valid;", "mails_kind_check", "kind"),
    false,
  ],
  ["another constraint goes", replaced("'queued', 'sent', 'seen'", " not valid;", "one_of_another_name"), false],
  [
    "a table tells that pages have changed",
    "create trigger record_change after insert or update or delete or truncate on mails\n  for each statement execute function record_catalog_change();",
    true,
  ],
  [
    "a trigger does something else",
    "create trigger tidy after delete on mails for each row execute function tidy();",
    false,
  ],
  ["rows say what a list may have", inRows("kinds", "('news', 1), ('orders', 2), ('others', 3)"), true],
  ["rows lack a value of the list", inRows("kinds", "('news', 1), ('others', 2)"), false],
  ["a list goes without rows", inRows("kinds", "('news', 1), ('orders', 2)").replace(/^.*\n/, ""), false],
  ["rows take the place of another rule", inRows("tags", "('news', 1), ('orders', 2)"), false],
  [
    "a trigger checks another column than the list did",
    inRows("kinds", "('news', 1), ('orders', 2)").replace(/(?<=create trigger).*/, (rest) =>
      rest.replaceAll("kinds", "state"),
    ),
    false,
  ],
  ["a column goes", "alter table mails drop column text;", false],
  ["a column has another type", "alter table mails alter column text type integer;", false],
])("whether a migration only adds: %s", (_, text, adds) => {
  const first =
    "create table mails (\n  state text not null check (state in ('queued', 'sent')),\n  kind text,\n  kinds text[] check (kinds <@ '{news,orders}'),\n  tags text[] check (cardinality(tags) < 9)\n);\n";
  expect(onlyAdds(text, first)).toBe(adds);
});

test("43 a migration that was once applied stays as it is: each file has the hash in db/migrations.sha256, and a new one adds its line", () => {
  const files = readdirSync("db/migrations").sort();
  const hashes = files.map((file) => {
    const hash = createHash("sha256")
      .update(readFileSync(`db/migrations/${file}`))
      .digest("hex");
    return `${hash}  migrations/${file}`;
  });
  expect(readFileSync("db/migrations.sha256", "utf8").trim().split("\n")).toEqual(hashes);
});

test("43 a database that was made with another text of a migration is refused with a sentence", async () => {
  const rename = (to: string) =>
    sql`update schema_state set migrations = migrations || jsonb_build_object('0001-schema', ${to}::text)`.execute(
      database.db(),
    );
  const { rows } = await sql<{ hash: string }>`select migrations ->> '0001-schema' as hash from schema_state`.execute(
    database.db(),
  );
  await rename("another");
  await expect(migrate(database.db())).rejects.toThrow(
    /^The database was made with another 0001-schema\.sql than this build has/,
  );
  await rename(rows[0]?.hash ?? "");
  expect(await migrate(database.db())).toEqual([]);
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
