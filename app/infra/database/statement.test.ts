import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { type SqlTypes, sqlType, statement, statements } from "./statement.server.ts";
import { statementName } from "./statement-names.ts";

const { url } = useDatabase({ max: 1 });
const client = () => connected;
let connected: pg.Client;
beforeAll(async () => {
  connected = new pg.Client({ connectionString: url() });
  await connected.connect();
});
afterAll(() => connected.end());

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number };
type Described = { values: number[]; columns: Field[] };
type Wire = {
  parse(statement: { text: string }): void;
  describe(what: { type: "S" }): void;
  sync(): void;
  once(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void;
};

/** Has PostgreSQL parse a statement and report its parameters and columns, without running it. */
async function describeStatement(text: string): Promise<Described> {
  const described: Described = { values: [], columns: [] };
  await new Promise<void>((resolve, reject) => {
    client().query({
      submit(wire: Wire) {
        wire.once("parameterDescription", ({ dataTypeIDs }) => {
          described.values = dataTypeIDs;
        });
        wire.parse({ text });
        wire.describe({ type: "S" });
        wire.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        described.columns = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(),
    } as unknown as pg.Submittable);
  });
  return described;
}

/** Imports all modules that declare statements, so that each is registered. */
async function importAll(): Promise<void> {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.server\.ts$/.test(name))
    .map((name) => path.resolve("app", name));
  for (const file of files) if (/\bstatement(WithCommit)?\(/.test(readFileSync(file, "utf8"))) await import(file);
}

const sqlName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const declared = (types: SqlTypes) =>
  Object.fromEntries(Object.entries(types).map(([name, { name: type }]) => [sqlName(name), type]));

test("each statement's declared parameters and columns agree with the database", async () => {
  await importAll();
  expect(statements.length).toBeGreaterThan(20);
  const { rows: types } = await client().query<{ oid: number; typname: string }>("select oid, typname from pg_type");
  const nameOf = new Map(types.map(({ oid, typname }) => [oid, typname]));
  const { rows: nullable } = await client().query<{ at: string }>(
    "select attrelid || '.' || attnum as at from pg_attribute where not attnotnull",
  );
  const mayBeNull = new Set(nullable.map(({ at }) => at));
  for (const { text, names, takes, gives } of statements) {
    const { values, columns } = await describeStatement(text);
    const taken = Object.fromEntries(names.map((name, at) => [sqlName(name), nameOf.get(values[at] ?? 0)]));
    expect.soft(taken, text).toEqual(declared(takes));
    const answer = columns.filter(({ dataTypeID }) => nameOf.get(dataTypeID) !== "void"); // a guard that only throws
    const given = Object.fromEntries(answer.map(({ name, dataTypeID }) => [name, nameOf.get(dataTypeID)]));
    expect.soft(given, text).toEqual(declared(gives));
    const neverNull = Object.entries(gives).filter(([, { isNullable }]) => !isNullable);
    const wrong = neverNull.filter(([name]) =>
      answer.some((column) => column.name === sqlName(name) && mayBeNull.has(`${column.tableID}.${column.columnID}`)),
    );
    expect
      .soft(
        wrong.map(([name]) => name),
        `may be null in: ${text}`,
      )
      .toEqual([]);
  }
});

test("each statement can be prepared: parsing and planning the longest takes longer than running it", async () => {
  await importAll();
  const unprepared = statements.filter(({ text }) => !statementName(text, true));
  expect(unprepared.map(({ text }) => text)).toEqual([]);
});

test("a value that is only declared, or only used, is an error when the statement is defined", () => {
  const select = (text: string) => statement({ takes: { id: sqlType.text }, gives: {} }, text);
  expect(() => select("select")).toThrow("id");
  expect(() => select("select where :id = :other")).toThrow("other");
});
