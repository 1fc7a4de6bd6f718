vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { planSale } from "#app/owner/prices/sale-plan.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const pageAt = useOfficePages();
const BY = { name: "test", door: "office" } as const;

let cookies: string[];
let id: string;
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
beforeEach(async () => {
  id = await makeProduct(db(), { M: 3 });
});

const post = (form: Record<string, string>) => pageAt("/products/prices/change", cookies, { intent: "save", ...form });

/** Saves what a preview shows, as its form does without script. */
function agree({ fields }: OfficePage): Promise<OfficePage> {
  const hidden = fields.filter(({ type, name }) => type === "hidden" && name !== "intent");
  return post(Object.fromEntries(hidden.map(({ name = "", value = "" }) => [name, value])));
}

const priceOf = async () =>
  await db()
    .selectFrom("products")
    .select(["priceCents", "normalCents"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const dollarsNow = async () => formatUsd(usdCents((await priceOf()).priceCents));

test("a change by percent is shown for each product before it is saved, then saved and recorded", async () => {
  const before = (await priceOf()).priceCents;
  const becomes = Math.floor((before * 1100 + 500) / 1000);
  const preview = await post({ list: id, by: "+10%" });
  expect(preview.text).toContain("Nothing is saved yet");
  expect(preview.text).toContain(`${formatUsd(usdCents(before))} now ${formatUsd(usdCents(becomes))}`);
  expect((await priceOf()).priceCents).toBe(before);
  expect((await agree(preview)).text).toContain("1 price changed");
  expect((await priceOf()).priceCents).toBe(becomes);
  const row = db().selectFrom("auditLog").select(["action", "before", "after"]).where("subjectId", "=", id);
  expect(await row.orderBy("id", "desc").executeTakeFirst()).toEqual({
    action: "prices change",
    before: { price: before / 100 },
    after: { price: becomes / 100 },
  });
});

test("a price that somebody changes between the look and the press is not overwritten", async () => {
  const preview = await post({ list: id, by: "10%" });
  await db().updateTable("products").set({ priceCents: 1234, normalCents: 1234 }).where("id", "=", id).execute();
  const again = await agree(preview);
  expect(again.text).toContain("A price or the exchange rate has changed since, so nothing is saved yet");
  expect(again.text).toContain("$12.34 now $13.57");
  expect(await dollarsNow()).toBe("$12.34");
  expect((await agree(again)).text).toContain("1 price changed");
  expect(await dollarsNow()).toBe("$13.57");
});

test("a sale price in percent moves with the normal price, and the sale goes on", async () => {
  await db().updateTable("products").set({ priceCents: 4000, normalCents: 4000 }).where("id", "=", id).execute();
  await planSale(db(), BY, [{ id, percent: 25 }], { finalSale: false }, { saves: true });
  expect(await priceOf()).toEqual({ priceCents: 3000, normalCents: 4000 });
  expect((await agree(await post({ list: id, by: "+6,400" }))).text).toContain("1 price changed");
  expect(await priceOf()).toEqual({ priceCents: 3300, normalCents: 4400 });
});

test("all products at once, to round naira", async () => {
  const preview = await post({ which: "all", step: "500" });
  expect((await agree(preview)).text).toMatch(/\d+ prices changed|1 price changed/);
  expect((await post({ which: "all", step: "500" })).text).toContain("All of these prices are so already");
});

test.each([
  [{ by: "10%" }, "Choose products above, or list them"],
  [{ which: "all", list: "rings-tee", by: "10%" }, "Choose products above, or list them"],
  [{ which: "all" }, "Write a percentage like +10% or -5%, or naira like +500 or -250"],
  [{ which: "all", by: "ten" }, "Write a percentage like +10% or -5%, or naira like +500 or -250"],
  [{ which: "all", by: "-99,999,999" }, "Too much: "],
  [{ list: "no-such-tee", by: "10%" }, "No product is called no-such-tee"],
  [{ list: "rings tee", by: "10%" }, "is no product’s id"],
])("%j is refused beside its field", async (form, why) => {
  const answer = await post(form);
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(why)]);
});
