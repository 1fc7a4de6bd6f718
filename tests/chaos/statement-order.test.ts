import { sql } from "kysely";
import type pg from "pg";
import { expect, test } from "vitest";
import { addToCart } from "#app/cart/cart.server.ts";
import { createDb, createPool, type Db } from "#app/infra/database/db.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper, orderBy } from "#tests/support/shop.ts";

// PostgreSQL guarantees no order for the data-modifying parts of one `with` (docs/decisions/012-statements.md). In fact
// it carries them out in the written order. So each statement is also written with its parts in other orders, and must
// do the same.

const { db, url, provider } = useCheckout();

type Order = (parts: string[]) => string[];
const ORDERS: [name: string, order: Order][] = [
  ["the other way round", (parts) => parts.toReversed()],
  ...[1, 2, 3, 4, 5].map((by): [string, Order] => [
    `beginning with part ${by + 1}`,
    (parts) => [...parts.slice(by % parts.length), ...parts.slice(0, by % parts.length)],
  ]),
  [
    "the second half first, each half the other way round",
    (parts) => {
      const half = Math.ceil(parts.length / 2);
      return [...parts.slice(half).toReversed(), ...parts.slice(0, half).toReversed()];
    },
  ],
];

/** The pieces of a statement's `with`: the text before its parts, the parts, and the text after them. */
function partsOf(statement: string): { before: string; parts: string[]; after: string } | undefined {
  const [before] = /^(?:\s*--[^\n]*\n)*\s*with\s+/i.exec(statement) ?? [];
  if (!before) return;
  const parts: string[] = [];
  let depth = 0;
  let start = before.length;
  for (let at = start; at < statement.length; at++) {
    if (statement[at] === "(") depth++;
    if (statement[at] !== ")" || --depth > 0) continue;
    const [next = ""] = /^\s*,/.exec(statement.slice(at + 1)) ?? [];
    const isPart = /^\s*\w+(?:\([^)]*\))?\s+as\s+(?:not materialized|materialized)?\s*\(/i.test(
      statement.slice(start, at),
    );
    if (!isPart) continue; // the column names of a part
    parts.push(statement.slice(start, at + 1).trim());
    start = at + 1 + next.length;
    if (!next) return { before, parts, after: statement.slice(start) };
  }
  return;
}

const CHANGES = /\b(?:insert into|update|delete from)\b/;

/**
 * The database as the shop sees it, but with another order of parts in each statement that changes something in several
 * of them.
 */
function reordering(order: Order): { on: Db; reordered: Set<string> } {
  const reordered = new Set<string>();
  const rewrite = (statement: string) => {
    const found = partsOf(statement);
    if (!found || found.parts.filter((part) => CHANGES.test(part)).length < 2) return statement;
    reordered.add(/\binsert into (\w+)/.exec(statement)?.[1] ?? statement);
    // `recursive` lets a part stand before one that it selects from.
    return `${found.before.replace(/with\s+$/i, "with recursive ")}${order(found.parts).join(", ")}${found.after}`;
  };
  const pool = createPool({ url: url(), max: 2, name: "test order" });
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connectRewriting = async () => {
    const client = await connect();
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const release = client.release.bind(client);
    const plainly = () => {
      Object.assign(client, { query });
      release();
    };
    const rewriting = (text: unknown, ...rest: unknown[]) =>
      query(typeof text === "string" ? rewrite(text) : text, ...rest);
    return Object.assign(client, { query: rewriting, release: plainly });
  };
  return { on: createDb(Object.assign(pool, { connect: connectRewriting }) as pg.Pool), reordered };
}

const TABLES = [
  "orders",
  "payments",
  "reservations",
  "product_sizes",
  "carts",
  "cart_lines",
  "sales",
  "sale_lines",
  "outbox",
];

/** Every row about these products and shoppers, without random values and times. */
async function rowsAbout(ids: string[]): Promise<Record<string, string[]>> {
  const known = [...ids];
  const all: Record<string, string[]> = {};
  for (const table of TABLES) {
    const found = await sql<{ id?: string; row: string }>`
      select to_jsonb(t) ->> 'id' as id, to_jsonb(t)::text as row from ${sql.table(table)} t`.execute(db());
    const own = found.rows.filter(({ row }) => known.some((id) => row.includes(id)));
    if (table === "orders") known.push(...own.flatMap(({ id }) => id ?? []));
    all[table] = own
      .map(({ row }) =>
        row
          .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid")
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:\+00:00|Z)?/g, "time")
          .replaceAll(/[0-9a-f]{32}/g, "hex")
          .replaceAll(
            /("(?:reference|idempotency_key|id|number|words|counted|provider_id)": )(?:"[^"]*"|\d+)/g,
            '$1"drawn"',
          ),
      )
      .sort();
  }
  return all;
}

type Step = (on: Db) => Promise<unknown>;

/**
 * Runs what the shop's money statements are for: a cart, an order, its payment, and a payment that comes too late for
 * the stock.
 */
async function story(on: Db): Promise<{ answers: unknown[]; after: Record<string, string[]>[] }> {
  const [two, one] = [await makeProduct(db(), { M: 2 }), await makeProduct(db(), { M: 1, L: 3 })];
  const buyer = await makeShopper(db());
  const late = await makeShopper(db(), { productId: two, size: "M", quantity: 2 });
  const add = async (id: string, size: string, quantity: number) =>
    (await addToCart(on, buyer.id, { id, size, quantity })).ok;
  let reference = "";
  const steps: Step[] = [
    () => add(two, "M", 1),
    () => add(one, "M", 1),
    () => add(one, "L", 2),
    async () => {
      const payment = await startPayment(on, orderBy(buyer));
      if (!payment.ok) throw new Error(payment.problem);
      reference = payment.reference;
    },
    async () => (await startPayment(on, orderBy(late))).ok,
    async () => {
      provider.pay(reference);
      return (await settlePayment(reference, on)).outcome;
    },
    async () => (await settlePayment(reference, on)).outcome,
  ];
  const answers: unknown[] = [];
  const after: Record<string, string[]>[] = [];
  for (const step of steps) {
    answers.push(await step(on));
    after.push(await rowsAbout([buyer.id, late.id, two, one]));
  }
  return { answers, after };
}

test.each(ORDERS)("money, stock and orders are the same with the parts of each statement %s", async (_, order) => {
  const expected = await story(db());
  const { on, reordered } = reordering(order);
  const found = await story(on).finally(() => on.destroy());
  expect(reordered).toContain("orders");
  expect(reordered).toContain("sales");
  expect(found).toEqual(expected);
});

test("the database carries the parts out in another order when they stand in another", async () => {
  await sql`create table notes (at serial, note text)`.execute(db());
  const write = sql`with a as (insert into notes (note) values ('a')), b as (insert into notes (note) values ('b')) select`;
  const notes = async () => (await sql<{ note: string }>`select note from notes order by at`.execute(db())).rows;
  await write.execute(db());
  const { on } = reordering((parts) => parts.toReversed());
  await write.execute(on).finally(() => on.destroy());
  const [first, second, third, fourth] = (await notes()).map(({ note }) => note);
  expect([third, fourth]).toEqual([second, first]);
});
