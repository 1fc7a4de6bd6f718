import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeDb, type Db, openDb } from "#app/infra/database/db.server.ts";
import { installQueue } from "#app/infra/database/queue.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";

// A shop from before refunds had parts moves on with its rows: whole refunds, done and failed, and what a bank had taken back without any.

const FOLDER = path.resolve(import.meta.dirname, "../db/migrations");
const migrations = readdirSync(FOLDER).sort();
const name = `irepo_${randomBytes(6).toString("hex")}`;
const adminUrl = inject("postgresUrl");
let db: Db;

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  await asAdmin(`create database ${name}`);
  const url = adminUrl.replace(/\/postgres$/, `/${name}`);
  db = openDb({ url, max: 1, name: "test" });
  await installQueue(url);
});
afterAll(async () => {
  await closeDb();
  await asAdmin(`drop database if exists ${name} with (force)`);
});

async function apply(files: string[]): Promise<void> {
  for (const file of files) await sql.raw(readFileSync(path.join(FOLDER, file), "utf8")).execute(db);
}

/** `state` of an order, with its payment and perhaps its sale and its refund. */
async function order(
  reference: string,
  state: string,
  { payment = "paid", sale = "", refund = "" } = {},
): Promise<void> {
  await sql`with a as (
    insert into attempts (state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo, expires_at)
    values (${state}, 0, 'ada@example.com', '{}', '[{"priceCents": 100, "quantity": 1}]', 100, 0, 100, 1600, now(), 160000, now()) returning id
  ), p as (
    insert into payments (reference, attempt_id, state, kobo, provider_id, paid_kobo, paid_currency)
    select ${reference}, id, ${payment}, 160000, ${reference}, ${payment === "paid" ? 160_000 : null}, 'NGN' from a
  )
  select id from a`.execute(db);
  const mails = [];
  if (sale) {
    await sql`insert into sales (attempt_id, reference, status, email, shipping, subtotal_cents, shipping_cents, total_cents, rate, kobo)
      select attempt_id, reference, ${sale}, 'ada@example.com', '{}', 100, 0, 100, 1600, 160000 from payments where reference = ${reference}`.execute(
      db,
    );
    await sql`insert into sale_lines (sale_id, position, product_id, title, color, size, quantity, price_cents)
      select id, 0, 'jersey', 'Jersey', 'Red', 'M', 1, 100 from sales where reference = ${reference}`.execute(db);
    await sql`insert into outbox (key, recipient, kind, data, message_id)
      select 'sale:' || id, 'x', 'x', '{}', 'sale:' || id from sales where reference = ${reference}`.execute(db);
  }
  if (refund) {
    await sql`insert into refunds (reference, kobo, reason, state) values (${reference}, 160000, 'returned', ${refund})`.execute(
      db,
    );
    mails.push("refund");
  }
  if (state === "refunded") mails.push("refund-done");
  for (const mail of mails)
    await sql`insert into outbox (key, recipient, kind, data, message_id)
      values (${`${mail}:${reference}`}, 'x', 'x', '{}', ${`${mail}:${reference}`})`.execute(db);
}

test("a shop with refunds of before is the same after it, and its books agree", async () => {
  const first = migrations.indexOf("0070-refunds-in-part.sql");
  await apply(migrations.slice(0, first));
  await sql`insert into products (id, title, color, price_cents) values ('jersey', 'Jersey', 'Red', 100)`.execute(db);
  await sql`insert into product_sizes (product_id, size, supplied, sold) values ('jersey', 'M', 9, 4)`.execute(db);
  await order("sold-----------------", "sold", { sale: "completed" });
  await order("done-----------------", "refunded", { sale: "refunded", refund: "done" });
  await order("failed---------------", "refunding", { sale: "refunding", refund: "failed" });
  await order("taken-by-the-bank----", "refunded", { sale: "refunded" });
  await order("never-seen-----------", "refunded", { payment: "refused" });
  await apply(migrations.slice(first));
  const rows = await db
    .selectFrom("payments")
    .select(["reference", "refundingKobo", "refundedKobo"])
    .orderBy("reference")
    .execute();
  expect(
    rows.map(({ reference, refundingKobo, refundedKobo }) => [
      reference.replace(/-+$/, ""),
      refundingKobo,
      refundedKobo,
    ]),
  ).toEqual([
    ["done", "0", "160000"],
    ["failed", "0", "0"],
    ["never-seen", "0", "160000"],
    ["sold", "0", "0"],
    ["taken-by-the-bank", "0", "160000"],
  ]);
  expect(await checkInvariants(db)).toEqual([]);
});
