vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { pastSales } from "#tests/support/past-sales.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const ask = useOfficePages();
const ALL = 120;
let cookies: string[];
let emptyList: string;

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "reader"));
  emptyList = (await ask("/orders", cookies)).text;
  const product = await makeProduct(db(), { M: 9 });
  for (const statement of pastSales(ALL, ALL - 20, { product })) await sql.raw(statement).execute(db());
});

async function numbers(condition: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from orders join sales on order_id = orders.id where ${sql.raw(condition)} order by orders.created_at`.execute(
    db(),
  );
  return rows.map(({ number }) => number);
}

/** The orders on each page of a list, from this page on in one direction. */
async function pagesFrom(path: string, to: "before" | "after"): Promise<string[][]> {
  const pages: string[][] = [];
  for (let at: string | undefined = path; at; ) {
    const { links } = await ask(at, cookies);
    const found = links.flatMap((link) => /^\/orders\/(IR-.+)$/.exec(link)?.[1] ?? []);
    pages.push([...new Set(found)]);
    const next = links.find((link) => new URLSearchParams(link.replace(/^.*\?/, "")).has(to));
    at = next && `/orders${next.replace(/^\/orders/, "")}`;
  }
  return pages;
}

test("a list that is empty, and leaves nothing out, leads nowhere", async () => {
  expect(emptyList).toContain("Nobody has ordered yet. New orders appear by themselves.");
  const { text } = await ask("/returns?view=all", cookies);
  expect(text).toContain("No returns yet. What shoppers ask for appears by itself.");
  expect(emptyList + text).not.toContain("See all");
});

test.each([
  ["/returns", "Nothing to do here. What shoppers ask for appears by itself. See all returns"],
  ["/returns?view=all&q=Ada", "No return fits. See all returns"],
  ["/orders?q=nobody", "No order fits. See all orders"],
  ["/orders?view=person", "Nothing to do here. New orders appear by themselves. See all orders"],
  ["/products?view=draft", "No products match. See all products"],
  ["/customers", "Nobody has an account yet."],
  ["/customers?newsletter=yes", "No customer fits. See all customers"],
  ["/money/payments?q=nobody", "No payment fits. See all payments"],
  ["/newsletter?days=90", "Nobody has subscribed yet."],
  ["/newsletter?q=nobody", "No subscriber fits. See all subscribers"],
  ["/mails", "As far as we can tell, all emails have arrived."],
  ["/audit?q=nobody", "No change fits. See all changes"],
])("%s says: %s", async (path, words) => {
  const { cookies } = await staffWithPasskey(db(), "owner");
  const { text } = await ask(path, cookies);
  expect(text).toContain(words);
  if (!words.includes("See all")) expect(text).not.toContain("See all");
});

describe.each([
  ["oldest first", "?sort=oldest", "true", false],
  ["newest first", "?", "true", true],
  ["to send, oldest first", "?view=to-send&sort=oldest", "fulfilled_at is null", false],
])("%s", (_, query, condition, isNewestFirst) => {
  test("has every order once on its pages, in that order", async () => {
    const sorted = await numbers(condition);
    if (isNewestFirst) sorted.reverse();
    const pages = await pagesFrom(`/orders${query}`, "before");
    expect(pages.map(({ length }) => length)).toEqual([50, 50, ...(sorted.length > 100 ? [20] : [])]);
    expect(pages.flat()).toEqual(sorted);
  });
});

test("the way back is the way there", async () => {
  const sorted = await numbers("true");
  const { links } = await ask("/orders?sort=oldest", cookies);
  const next = links.find((link) => link.includes("before=")) ?? "";
  const back = (await ask(`/orders${next.replace(/^\/orders/, "")}`, cookies)).links.find((link) =>
    link.includes("after="),
  );
  const [first] = await pagesFrom(`/orders${back?.replace(/^\/orders/, "")}`, "after");
  expect(first).toEqual(sorted.slice(0, 50));
});

test("the pages' links are called by where they lead", async () => {
  expect((await ask("/orders?sort=oldest", cookies)).text).toMatch(/50 orders, ₦[\d,]+ Newer/);
  expect((await ask("/orders", cookies)).text).toMatch(/50 orders, ₦[\d,]+ Older/);
});

test("Today leads from the oldest order that waits to the list that begins with it", async () => {
  const { links, text } = await ask("/", cookies);
  expect(text).toContain("The oldest has been waiting since");
  expect(links).toContain("/orders?view=to-send&sort=oldest");
});
