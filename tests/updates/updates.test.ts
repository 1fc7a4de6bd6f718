import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { closeDb, type Db, db, openDb } from "#app/infra/database/db.server.ts";
import { migrate } from "#app/infra/database/migrate.server.ts";
import { prepareDatabase } from "#app/infra/database/prepare.server.ts";
import { describeSchema, type Objects } from "#app/infra/database/schema/describe.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { ask } from "#tests/support/ask-database.ts";
import { useDatabase } from "#tests/support/database.ts";

const fresh = useDatabase();
const FOLDER = path.join(import.meta.dirname, "dumps");
const made: string[] = [];

/** A database of its own with what an old version has left. */
async function loaded(dump: string): Promise<string> {
  const name = `irepo_update_${made.length}_${process.pid}`;
  made.push(name);
  await ask(inject("postgresUrl"), `create database ${name}`);
  const url = inject("postgresUrl").replace(/\/postgres$/, `/${name}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = gunzipSync(readFileSync(path.join(FOLDER, dump))).toString("utf8");
  // Without what psql alone reads; the functions of 23 November name one another without a schema.
  await client.query(
    text.replace(/^\\.*$/gm, "").replace("set_config('search_path', ''", "set_config('search_path', 'public'"),
  );
  await client.end();
  return url;
}

/** Opens it, with the rights of its owner, beside the process's own one. */
async function inDatabase<T>(url: string, work: (on: Db) => Promise<T>): Promise<T> {
  await closeDb();
  try {
    return await work(openDb({ url, max: 3, name: "test update" }));
  } finally {
    await closeDb();
    openDb({ url: fresh.url(), max: 3, name: "test" });
  }
}

const schemaOf = (on: Db): Promise<Objects> => on.transaction().execute((trx) => describeSchema(trx, "public"));

afterAll(async () => {
  for (const name of made) await ask(inject("postgresUrl"), `drop database if exists ${name} with (force)`);
});

describe.each(readdirSync(FOLDER))("43 the database in %s", (dump) => {
  let url: string;
  let before: Record<string, unknown>[];
  const orders = (table: string, id: string) =>
    ask(
      url,
      `select p.reference, o.state, o.lines, o.shipping, o.total_cents, o.kobo::text, s.status, s.fulfilled_at, o.created_at
       from payments p join ${table} o on o.id = p.${id} left join sales s on s.reference = p.reference order by p.reference`,
    );

  beforeAll(async () => {
    url = await loaded(dump);
    const [old] = await ask(url, "select to_regclass('attempts') is not null as is_split");
    before = await (old?.is_split ? orders("attempts", "attempt_id") : orders("orders", "order_id"));
    await prepareDatabase({ owner: url, setting: "DATABASE_URL" });
  });

  test("has the schema of a new shop", async () => {
    expect(await inDatabase(url, schemaOf)).toEqual(await schemaOf(db())); // that of `fresh` is closed
  });

  test("has its orders as they were, each with a number, and its books agree", async () => {
    expect(before.length).toBeGreaterThanOrEqual(4);
    expect(await orders("orders", "order_id")).toEqual(before);
    const numbers = await ask(url, "select number from orders order by created_at");
    expect(new Set(numbers.map(({ number }) => number)).size).toBe(numbers.length);
    // An order that waited when the dump was made would be a fault half an hour later.
    await ask(url, "update orders set expires_at = now() where expires_at < now()");
    expect(await inDatabase(url, (on) => checkInvariants(on))).toEqual([]);
  });

  test("is found by its words, and counts on", async () => {
    const [found] = await ask(url, "select count(*)::int as orders from orders where words @@ 'obi'::tsquery");
    expect(found?.orders).toBe(before.length);
    const [word] = await ask(url, "select count(*)::int as known from search_words where word in ('rings', 'tee')");
    expect(word?.known).toBeGreaterThan(0);
    const insert = await ask(url, "insert into exchange_rates (rate, source) values (1600, 'test') returning id::int");
    const [most] = await ask(url, "select max(id)::int as id from exchange_rates");
    expect(insert[0]?.id).toBe(most?.id);
  });

  test("is updated once: a second time nothing is done", async () => {
    expect(await inDatabase(url, migrate)).toEqual([]);
  });
});

test.each([
  [
    "a column of somebody's own",
    "alter table attempts add gift_note text",
    /has a column attempts\.gift_note, and what is in it would be lost$/,
  ],
  [
    "a view of somebody's own",
    "create view paid as select * from payments",
    /depend on them: view paid depends on table .*payments$/,
  ],
])(
  "43 an update that would lose %s ends with a sentence, and the old version finds its database as it was",
  async (_, own, sentence) => {
    const url = await loaded("0fa75758.sql.gz");
    await ask(url, own);
    const rows = () =>
      ask(
        url,
        "select (select count(*) from attempts) as orders, (select array_agg(name) from kysely_migration) as migrations",
      );
    const before = await rows();
    const update = prepareDatabase({ owner: url, setting: "DATABASE_URL" });
    await expect(update).rejects.toThrow(/^The database is of a version before 0\.1\.0 .*, and was left as it was: /);
    await expect(update).rejects.toThrow(sentence);
    expect(await rows()).toEqual(before);
  },
);
