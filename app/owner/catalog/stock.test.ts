import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { restockUnits } from "#app/orders/reservation.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { changeStock, listStock, saveStock } from "./stock.server.ts";
import type { StockEdit } from "./stock-edit.ts";

const { db, open, oneBuyer, provider } = useCheckout();
const ADA = { name: "ada@example.com", door: "office" } as const;
const TUNDE = { name: "tunde@example.com", door: "office" } as const;

/** The edits of somebody who sees the current stock and types these numbers. */
async function typed(id: string, numbers: Record<string, number>): Promise<StockEdit[]> {
  const rows = await db().selectFrom("productSizes").selectAll().where("productId", "=", id).execute();
  return Object.entries(numbers).map(([size, number]) => {
    const row = rows.find((one) => one.size === size);
    return { id, size, supplied: row?.supplied ?? 0, onHand: row?.onHand ?? 0, typed: number, key: randomUUID() };
  });
}

async function onHand(id: string): Promise<Record<string, number>> {
  return Object.fromEntries((await listStock(db(), { id })).map((row) => [row.size, row.onHand]));
}

const auditOf = (id: string) =>
  db().selectFrom("auditLog").select(["actor", "before", "after"]).where("subjectId", "=", id).orderBy("id").execute();

async function sellOne(productId: string, size = "M"): Promise<void> {
  const { reference } = await open(await makeShopper(db(), { productId, size }));
  provider.pay(reference);
  await settlePayment(reference);
}

const restockOne = (productId: string) =>
  db()
    .transaction()
    .execute((trx) => restockUnits(trx, [{ productId, size: "M", quantity: 1 }]));

test("F25: stock is never set below the pieces that are reserved for open payments", async () => {
  const { productId: id, payment } = await oneBuyer(5);
  const set = (n: number) => changeStock(db(), { by: OWNER, action: "stock set", id, size: "M", target: () => n });
  expect(await set(0)).toMatchObject({
    ok: false,
    problem: expect.stringContaining("1 are reserved for payments under way"),
  });
  expect(await set(1)).toEqual({ ok: true, before: 5, after: 1 });
  expect(await changeStock(db(), { by: OWNER, action: "stock set", id, size: "XXXL", target: () => 3 })).toMatchObject({
    ok: false,
  });
  provider.pay(payment.reference, { status: "abandoned" });
});

test("many sizes are saved together, each product with one row of values before and after", async () => {
  const [a, b] = [await makeProduct(db(), { S: 1, M: 2 }), await makeProduct(db(), { L: 3 })];
  const changes = [...(await typed(a, { S: 11, M: 12 })), ...(await typed(b, { L: 13 }))];
  expect(await saveStock(db(), ADA, { changes, reason: "delivery" })).toEqual({ ok: true, count: 3, moved: [] });
  expect([await onHand(a), await onHand(b)]).toEqual([{ M: 12, S: 11 }, { L: 13 }]);
  expect(await auditOf(a)).toEqual([
    {
      actor: ADA.name,
      before: { sizes: { S: 1, M: 2 } },
      after: { sizes: { S: 11, M: 12 }, reason: "delivery", keys: { S: changes[0]?.key, M: changes[1]?.key } },
    },
  ]);
  expect(await auditOf(b)).toHaveLength(1);
});

test("pieces that are sold while a number is typed stay sold", async () => {
  const id = await makeProduct(db(), { M: 8 });
  const changes = await typed(id, { M: 12 });
  await sellOne(id);
  expect(await saveStock(db(), ADA, { changes, reason: "count" })).toMatchObject({
    ok: true,
    moved: [{ id, size: "M", typed: 12, after: 11 }],
  });
  expect(await onHand(id)).toEqual({ M: 11 });
  expect(await auditOf(id)).toMatchObject([{ before: { sizes: { M: 7 } }, after: { sizes: { M: 11 } } }]);
});

test("a change by somebody else is reported, and nothing is saved", async () => {
  const id = await makeProduct(db(), { M: 8, L: 1 });
  const changes = await typed(id, { M: 18, L: 5 });
  await saveStock(db(), TUNDE, { changes: await typed(id, { M: 18 }), reason: "delivery" });
  expect(await saveStock(db(), ADA, { changes, reason: "delivery" })).toMatchObject({
    ok: false,
    sizes: [{ id, size: "M", why: "changed", typed: 18, was: 8, onHand: 18, by: TUNDE.name, at: expect.any(Date) }],
  });
  expect(await onHand(id)).toEqual({ L: 1, M: 18 });
});

test("a form that is sent again after a lost response changes nothing more", async () => {
  const id = await makeProduct(db(), { M: 8 });
  const changes = await typed(id, { M: 18 });
  const save = () => saveStock(db(), ADA, { changes, reason: "delivery" });
  expect(await save()).toMatchObject({ ok: true });
  await sellOne(id);
  expect(await save()).toMatchObject({ ok: true });
  expect(await onHand(id)).toEqual({ M: 17 });
  expect(await auditOf(id)).toHaveLength(1);
});

test("a form that is sent again changes nothing more, also after changes by others", async () => {
  const id = await makeProduct(db(), { M: 8 });
  const changes = await typed(id, { M: 18 });
  const save = () => saveStock(db(), ADA, { changes, reason: "delivery" });
  await save();
  for (const number of [12, 8]) {
    await saveStock(db(), TUNDE, { changes: await typed(id, { M: number }), reason: "count" });
    expect(await save()).toMatchObject({ ok: true });
    expect(await onHand(id)).toEqual({ M: number });
  }
});

test("a different form with the number that somebody has just saved is not taken for a repetition", async () => {
  const id = await makeProduct(db(), { M: 8 });
  const [first, second] = [await typed(id, { M: 9 }), await typed(id, { M: 9 })];
  expect(await saveStock(db(), ADA, { changes: first, reason: "delivery" })).toMatchObject({ ok: true });
  expect(await saveStock(db(), ADA, { changes: second, reason: "delivery" }), "in another tab").toMatchObject({
    ok: false,
    sizes: [{ id, size: "M", why: "changed", typed: 9, was: 8, onHand: 9, by: ADA.name }],
  });
  const changes = await typed(id, { M: 10 });
  await restockOne(id);
  expect(await saveStock(db(), ADA, { changes, reason: "delivery" }), "a return has restocked one").toMatchObject({
    ok: false,
    sizes: [{ why: "changed", typed: 10, was: 9, onHand: 10 }],
  });
});

test("of two members who save the same delivery at once, only one adds it", async () => {
  const id = await makeProduct(db(), { M: 8 });
  const seen = await Promise.all([ADA, TUNDE].map(async (by) => ({ by, changes: await typed(id, { M: 18 }) })));
  const done = await Promise.all(seen.map(({ by, changes }) => saveStock(db(), by, { changes, reason: "delivery" })));
  expect(done.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await onHand(id)).toEqual({ M: 18 });
});

test("a number below the reserved pieces is refused with their number", async () => {
  const { productId: id, payment } = await oneBuyer(3);
  expect(await saveStock(db(), ADA, { changes: await typed(id, { M: 0 }), reason: "count" })).toMatchObject({
    ok: false,
    sizes: [{ id, size: "M", why: "held", typed: 0, onHand: 3, held: 1 }],
  });
  expect(await saveStock(db(), ADA, { changes: await typed(id, { M: 1 }), reason: "count" })).toMatchObject({
    ok: true,
  });
  provider.pay(payment.reference, { status: "abandoned" });
});

test("a size that no longer exists is reported", async () => {
  const changes = [{ id: "nothing", size: "M", supplied: 1, onHand: 1, typed: 2, key: randomUUID() }];
  expect(await saveStock(db(), ADA, { changes, reason: "count" })).toMatchObject({ sizes: [{ why: "gone" }] });
});

test.each([
  [60, 6],
  [12, 1200],
])("a change that looks like a typing error, %i to %i, needs one confirmation", async (before, after) => {
  const id = await makeProduct(db(), { M: before });
  const changes = await typed(id, { M: after });
  const asked = await saveStock(db(), ADA, { changes, reason: "count" });
  expect(asked).toMatchObject({ ok: false, sizes: [], doubts: [expect.stringContaining(`${before} -> ${after}`)] });
  const agreed = asked.ok ? [] : asked.doubts;
  expect(await saveStock(db(), ADA, { changes, reason: "count", agreed })).toMatchObject({ ok: true });
  expect(await onHand(id)).toEqual({ M: after });
});
