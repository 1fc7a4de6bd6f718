vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeEach, expect, test, vi } from "vitest";
import { countTill, readTill } from "#app/owner/money/till.server.ts";
import { giveByHand } from "#app/payments/by-hand/give.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";

const { db, catchUp } = useCheckout();
const ask = useOfficePages();
const BY = { name: "bisi@example.com", door: "office" } as const;

let cookies: string[];
/** What one order costs, in kobo. */
let kobo: number;
let sell: (means?: "cash" | "transfer") => Promise<string>;

beforeEach(async () => {
  ({ cookies } = await staffWithPasskey(db(), "owner"));
  const product = await makeProduct(db(), { M: 80 });
  sell = async (means = "cash") => {
    const order = await staffOrder(db(), await makeShopper(db()), product);
    kobo = order.kobo;
    return paidByHand(db(), order, means === "cash" ? {} : { means, bankReference: `FT ${order.number}` });
  };
  const left = await readTill(db());
  if (left) await countTill(db(), BY, 0);
});

const page = (form?: Record<string, string>) => ask("/money/takings", cookies, form);
const seenOn = ({ fields }: OfficePage) => fields.find(({ name }) => name === "seen")?.value ?? "";
const expected = async () => (await readTill(db()))?.expected;

test("a shop that takes no cash sees no till", async () => {
  await sell("transfer");
  expect((await page()).text).not.toContain("Cash in the till");
  expect(await command(db(), ["takings", "till"])).toMatchObject({ text: "No order has been paid in cash." });
});

test("cash that was taken and given back is counted once; other ways of paying don't count", async () => {
  await sell();
  await sell("transfer");
  const back = await sell();
  await cancelOrder(db(), back);
  await catchUp(back);
  expect(await expected()).toBe(2 * kobo);
  await giveByHand(db(), back, { agreedKobo: kobo, by: BY.name });
  expect(await expected()).toBe(kobo);
  const shown = await page();
  expect(shown.text).toContain("Cash in the till");
  const short = await page({ intent: "count", counted: String(kobo / 100 - 500), seen: seenOn(shown) });
  expect(short.text).toContain("counted, ₦500 too little.");
  expect(await expected()).toBe(kobo - 50_000);
  await sell();
  expect(await expected()).toBe(2 * kobo - 50_000);
  const { text } = await command(db(), ["takings", "count", String((2 * kobo - 50_000) / 100)]);
  expect(text).toMatch(/: as it should be$/);
});

test("cash that was taken while somebody counted is named, and nothing is saved", async () => {
  await sell();
  const seen = seenOn(await page());
  await sell();
  const refused = await page({ intent: "count", counted: "1,000", seen });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Cash was moved or counted meanwhile")]);
  expect(refused.fields.find(({ name }) => name === "counted")?.value).toBe("1,000");
  expect(await expected()).toBe(2 * kobo);
});

test("of counts and sales at the same time, each sale is covered by one count", async () => {
  const sales = Array.from({ length: 6 }, () => sell());
  const counts = Array.from({ length: 6 }, () => countTill(db(), BY, 0));
  await Promise.all([...sales, ...counts]);
  await countTill(db(), BY, 0);
  const counted = await db().selectFrom("tillCounts").select("expectedKobo").orderBy("id", "desc").limit(7).execute();
  expect(counted.reduce((sum, { expectedKobo }) => sum + Number(expectedKobo), 0)).toBe(6 * kobo);
  expect(await expected()).toBe(0);
});

test("a bookkeeper sees the till and its counts, and counts nothing", async () => {
  await sell();
  await page({ intent: "count", counted: String(kobo / 100 - 500), seen: seenOn(await page()) });
  await sell();
  const { cookies: theirs } = await staffWithPasskey(db(), "bookkeeper");
  const shown = await ask("/money/takings", theirs);
  for (const part of ["Cash in the till", "There should be", "Difference", "−₦500"]) expect(shown.text).toContain(part);
  expect(shown.forms.some(({ intents }) => intents.includes("count"))).toBe(false);
  const left = 2 * kobo - 50_000;
  const typed = { intent: "count", counted: "1,000", seen: String(left) };
  expect((await ask("/money/takings", theirs, typed)).status).toBe(403);
  expect(await expected()).toBe(left);
});

test("a sum that can't be read is refused beside its field", async () => {
  await sell();
  const refused = await page({ intent: "count", counted: "many", seen: seenOn(await page()) });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Naira, like 45,000")]);
});
