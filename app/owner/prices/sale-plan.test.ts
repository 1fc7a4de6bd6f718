import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { getProduct } from "#app/catalog/catalog.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { momentIn } from "../shop-time.server.ts";
import type { SaleItem, SaleTerms } from "./sale-items.ts";
import { listSales } from "./sale-list.server.ts";
import { endSale, planSale } from "./sale-plan.server.ts";

const { db } = useCheckout();
const ADA = { name: "ada@example.com", door: "office" } as const;
const NOW: SaleTerms = { finalSale: false };
const later = (hours: number) => new Date(Date.now() + hours * HOUR);

async function shownFor(days: number, cents = 5000): Promise<string> {
  const id = await makeProduct(db(), { M: 3 }, cents);
  await sql`update price_history set at = at - ${days} * interval '24 hours' where product_id = ${id}`.execute(db());
  return id;
}
const plan = (items: SaleItem[], terms = NOW, saves = true) => planSale(db(), ADA, items, terms, { saves });
const price = async (id: string) => (await getProduct(db(), id))?.priceCents;
const acts = async (id: string) =>
  (
    await db().selectFrom("auditLog").select(["action", "after"]).where("subjectId", "=", id).orderBy("id").execute()
  ).map(({ action, after }) => [action, after]);

describe("a sale price", () => {
  test("of one product or many is planned in one step, in force at once, and recorded in the audit log", async () => {
    const [one, other] = [await shownFor(60), await shownFor(60)];
    const made = await plan(
      [
        { id: one, priceCents: 4000 },
        { id: other, percent: 33 },
      ],
      { ...NOW, endsAt: later(2) },
    );
    expect(made.problems).toEqual([]);
    const rows = [
      { id: one, priceCents: 4000, oldCents: 5000 },
      { id: other, priceCents: 3350 },
    ];
    expect(made.rows).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))));
    expect([await price(one), await price(other)]).toEqual([4000, 3350]);
    expect(await acts(one)).toMatchObject([["prices sale", { salePrice: 40, plan: made.id }]]);
    expect(await listSales(db(), one)).toMatchObject([{ planId: made.id, prices: [4000, 4000], runs: true }]);
  });

  test("that begins later has a job for its beginning and for its end", async () => {
    const [startsAt, endsAt] = [later(1), later(2)];
    await plan([{ id: await shownFor(60), percent: 20 }], { startsAt, endsAt, finalSale: false });
    const jobs = await sql<{ at: Date }>`select start_after as at from jobs.job where name = 'apply-prices'`.execute(
      db(),
    );
    expect(jobs.rows.map(({ at }) => at)).toEqual(expect.arrayContaining([startsAt, endsAt]));
  });

  test("changes nothing in a preview", async () => {
    const id = await shownFor(60);
    expect((await plan([{ id, percent: 20 }], NOW, false)).rows).toMatchObject([{ priceCents: 4000, oldCents: 5000 }]);
    expect(await price(id)).toBe(5000);
    expect(await acts(id)).toEqual([]);
    expect(await listSales(db(), id)).toEqual([]);
  });

  test.each<[string, (id: string) => SaleItem[], RegExp]>([
    ["not below the normal price", (id) => [{ id, priceCents: 5000 }], /^It isn’t below the normal price, \$50\.00$/],
    [
      "of no product",
      (id) => [
        { id, percent: 9 },
        { id: "none", percent: 9 },
      ],
      /^There’s no such product$/,
    ],
    [
      "of a product that is listed twice",
      (id) => [
        { id, percent: 9 },
        { id, percent: 8 },
      ],
      /^It is there twice$/,
    ],
  ])("%s is refused, and with it the others", async (_, items, text) => {
    const id = await shownFor(60);
    const made = await plan(items(id));
    expect(made.problems).toMatchObject([{ text: expect.stringMatching(text) }]);
    expect(await price(id)).toBe(5000);
  });

  test.each<[string, SaleTerms]>([
    ["before now", { finalSale: false, endsAt: later(-1) }],
    ["before its beginning", { finalSale: false, startsAt: later(2), endsAt: later(1) }],
  ])("that ends %s is refused", async (_, terms) => {
    expect(await plan([{ id: await shownFor(60), percent: 9 }], terms)).toMatchObject({ late: true });
  });

  test("without a higher price in the 30 days before has the time from which there would be one", async () => {
    const id = await shownFor(60);
    await sql`update price_history set price_cents = 4000 where product_id = ${id}`.execute(db());
    await sql`insert into price_history values (${id}, now() - interval '10 days', 5000)`.execute(db());
    const [row] = (await plan([{ id, percent: 20 }], NOW, false)).rows;
    expect(row?.oldCents).toBeNull();
    expect(Math.round(((row?.oldFrom?.getTime() ?? 0) - Date.now()) / (24 * HOUR))).toBe(20);
    const from = new Date((row?.oldFrom?.getTime() ?? 0) + HOUR);
    expect((await plan([{ id, percent: 20 }], { ...NOW, startsAt: from }, false)).rows).toMatchObject([
      { oldCents: 5000 },
    ]);
  });

  test("is ended while it runs, and deleted before it begins; a repetition changes nothing", async () => {
    const [one, other] = [await shownFor(60), await shownFor(60)];
    const running = await plan([
      { id: one, percent: 20 },
      { id: other, percent: 20 },
    ]);
    const waiting = await plan([{ id: one, percent: 40 }], { ...NOW, startsAt: later(1) });
    expect(await endSale(db(), ADA, waiting.id)).toBe(1);
    expect(await endSale(db(), ADA, running.id, one)).toBe(1);
    expect(await endSale(db(), ADA, running.id, one)).toBe(0);
    expect([await price(one), await price(other)]).toEqual([5000, 4000]);
    expect(await listSales(db(), one)).toEqual([]);
    expect((await acts(one)).map(([action]) => action)).toEqual([
      "prices sale",
      "prices sale",
      "prices end",
      "prices end",
    ]);
  });
});

test.each([
  ["2026-03-29T01:30", "2026-03-29T01:00:00.000Z"], // left out in London: the next minute is 02:00
  ["2026-10-25T01:30", "2026-10-25T00:30:00.000Z"], // comes twice
  ["2026-06-01T12:00", "2026-06-01T11:00:00.000Z"],
])("a minute that is typed as %s is read", (typed, moment) => {
  expect(momentIn(typed, "Europe/London")?.toISOString()).toBe(moment);
});
