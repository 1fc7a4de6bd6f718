import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import type { Db } from "#app/infra/database/db.server.ts";
import { prepareDatabase } from "#app/infra/database/prepare.server.ts";
import { ask } from "#tests/support/ask-database.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { asked, delivered } from "#tests/support/returns.ts";
import { readOrderNumber, readReturnNumber } from "./number.ts";

const { db, url, open, provider, oneBuyer } = useCheckout();

test.each([
  ["IR-7K3M-2Q", "IR-7K3M-2Q"],
  [" ir 7k3m 2q ", "IR-7K3M-2Q"],
  ["IR7KLM2O", "IR-7K1M-20"],
  ["IR-7K3M-2", undefined],
  ["IR-7K3U-2Q", undefined],
  ["7K3M-2Q", undefined],
  ["no IR-7K3M-2Q", undefined],
  ["IR-7K3M-2Q9", undefined],
  ["f".repeat(32), undefined],
])("'%s' is read as %s", (said, number) => {
  expect(readOrderNumber(said)).toBe(number);
});

test("a return's number is read in the same way, and never as an order's", () => {
  expect([readReturnNumber("rt 7k3m 2q"), readReturnNumber("IR-7K3M-2Q"), readOrderNumber("RT-7K3M-2Q")]).toEqual([
    "RT-7K3M-2Q",
    undefined,
    undefined,
  ]);
});

test("S39 each order gets a number of its own, which does not tell how many there were", async () => {
  const orders = [await oneBuyer(), await oneBuyer(), await oneBuyer()].map(({ payment }) => payment.orderId);
  const rows = await db().selectFrom("orders").select("number").where("id", "in", orders).execute();
  const numbers = rows.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(3);
  for (const number of numbers) expect(readOrderNumber(number)).toBe(number);
  expect(new Set(numbers.map((number) => number.slice(3, 5))).size).toBeGreaterThan(1);
});

test("12 no two numbers are the same, from the first to the last", async () => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct spell_number('IR', shuffle_number(n, 'IR', 'a key')))::int as count
    from (select generate_series(0, 5000) union all select generate_series(1073736823, 1073741823)) as counted(n)
  `.execute(db());
  expect(rows).toEqual([{ count: 10_002 }]);
});

test("12 numbers are spelled as by the migration that introduced them", async () => {
  const first = readFileSync("db/migrations/0008-order-numbers.sql", "utf8");
  const [spelling = ""] = /create function spell_number\(.*?\n\$\$;/s.exec(first) ?? [];
  await sql.raw(spelling.replace("spell_number", "spell_number_first")).execute(db());
  const { rows } = await sql<{ compared: number; other: number }>`
    select count(*)::int as compared,
      count(*) filter (where spell_number('IR', n) is distinct from spell_number_first('IR', n))::int as other
    from (
      select generate_series(0, 5000) union all select generate_series(1073736823, 1073741823)
      union all select shuffle_number(n, 'IR', 'a key') from generate_series(0, 5000) n
    ) as drawn(n)`.execute(db());
  expect(rows).toEqual([{ compared: 15_003, other: 0 }]);
  const { payment } = await oneBuyer();
  const drawn = sql<string>`(select spell_number_first('IR', shuffle_number(counted, 'IR', key)) from number_key)`;
  const order = db()
    .selectFrom("orders")
    .select(["number", drawn.as("drawn")])
    .where("id", "=", payment.orderId);
  const { number, drawn: expected } = await order.executeTakeFirstOrThrow();
  expect(number).toBe(expected);
  await sql`drop function spell_number_first`.execute(db());
});

const numbersOf = async (on: Db, table: "orders" | "returns") =>
  (await on.selectFrom(table).select("number").orderBy("counted").execute()).map(({ number }) => number);

test("12 the next number cannot be guessed, since each shop has its own key", async () => {
  const { payment } = await oneBuyer();
  const unkeyed = sql<string>`order_number(counted)`.as("unkeyed");
  const read = db().selectFrom("orders").select(["number", unkeyed]).where("id", "=", payment.orderId);
  const order = await read.executeTakeFirstOrThrow();
  expect(readOrderNumber(order.number)).toBe(order.number);
  expect(order.number).not.toBe(order.unkeyed);
  const { rows } = await sql<{ first: string }>`
    select spell_number('IR', shuffle_number(1, 'IR', key)) as first from (values ('one'::bytea), ('two')) shops(key)
  `.execute(db());
  expect(rows[0]?.first).not.toBe(rows[1]?.first);
});

test("12 a number that exists is skipped", async () => {
  const next = sql<string>`(select spell_number('IR', shuffle_number(last_value::int + 1, 'IR', key))
    from orders_counted_seq, number_key)`;
  const { payment } = await oneBuyer();
  await db().updateTable("orders").set({ number: next }).where("id", "=", payment.orderId).execute();
  await oneBuyer();
  const numbers = await numbersOf(db(), "orders");
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("12 the shop's database role cannot read the key of the numbers", async () => {
  const role = `reader_${randomBytes(4).toString("hex")}`;
  await ask(url(), `create role ${role} login password 'secret'`);
  const theirs = Object.assign(new URL(url()), { username: role, password: "secret" }).href;
  await prepareDatabase({ owner: url(), shop: theirs, setting: "DATABASE_OWNER_URL" });
  expect(await ask(theirs, "select key from number_key")).toEqual([]);
  await expect(ask(theirs, "select key_of_numbers()")).rejects.toThrow("violates row-level security policy");
  await ask(url(), `drop owned by ${role}`);
  await ask(url(), `drop role ${role}`);
});

test("12 numbers are the same after backup and restore, in search too, and the next is another's", async () => {
  await asked(db(), await delivered({ db, open, provider }));
  const read = () => Promise.all((["orders", "returns"] as const).map((table) => numbersOf(db(), table)));
  const before = await read();
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-numbers-"));
  const at = path.join(folder, "shop.backup");
  expect(await command(db(), ["backup", at])).toMatchObject({ code: 0 });
  await sql`truncate products, users, orders cascade`.execute(db());
  expect(await command(db(), ["restore", at])).toMatchObject({ code: 0 });
  rmSync(folder, { recursive: true });
  expect(await read()).toEqual(before);
  const [number = ""] = before[0]?.slice(-1) ?? [];
  expect(await command(db(), ["orders", "show", number])).toMatchObject({
    code: 0,
    text: expect.stringContaining(number),
  });
  const { payment } = await oneBuyer();
  const order = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  expect(before[0]).not.toContain((await order.executeTakeFirstOrThrow()).number);
});

test("12 an update keeps every number that was given, and finds it; what names no number gets a drawn one", async () => {
  const name = `irepo_${randomBytes(6).toString("hex")}`;
  const admin = inject("postgresUrl");
  await ask(admin, `create database ${name}`);
  const on = admin.replace(/\/postgres$/, `/${name}`);
  const apply = async (files: string[]) => {
    for (const file of files) await ask(on, readFileSync(`db/migrations/${file}`, "utf8"));
  };
  const files = readdirSync("db/migrations").sort();
  const order = `insert into orders (state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo,
      expires_at)
    select 'released', 1, 'ada@example.com', '{"firstName":"Ada"}', '[]', 0, 0, 0, 1600, now(), 100, now() from generate_series(1, 3)`;
  const found = (word: string) => `words @@ quote_literal(lower(${word}))::tsquery`;
  const read = `select number, ${found("number")} as found from orders order by counted`;
  await apply(files.filter((file) => file < "0008"));
  await ask(on, order);
  const before = await ask(on, read);
  await apply(files.filter((file) => file >= "0008"));
  await ask(on, order);
  const after = await ask(on, read);
  expect(after.slice(0, 3)).toEqual(before);
  expect(after.map(({ found }) => found)).toEqual(Array(6).fill(true));
  expect(await ask(on, "select from orders where number = order_number(counted)")).toHaveLength(3);
  await ask(on, "update orders set email = 'bola@example.com'");
  expect(await ask(on, `select from orders where ${found("'bola@example.com'")}`)).toHaveLength(6);
  await ask(admin, `drop database ${name} with (force)`);
});
