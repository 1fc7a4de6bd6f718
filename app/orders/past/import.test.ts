import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { giveByHand } from "#app/payments/by-hand/give.server.ts";
import { runRefunds } from "#app/payments/refunds/refunds.server.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import type { ProductImage } from "#db/types.ts";
import { refundWished } from "#tests/support/checkout.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { openOrders } from "../forget-buyer.server.ts";
import { listOrders } from "../history.server.ts";
import { importSale } from "./import.server.ts";
import type { PastPictures } from "./pictures.server.ts";
import { type PastSale, readSaleDocument } from "./sale.ts";

const database = useDatabase();
const db = () => database.db();
beforeAll(() => seedShipping(db()));
afterEach(async () => {
  const broken = await checkInvariants(db());
  expect(broken.filter(({ rule }) => rule !== "I13")).toEqual([]); // I13 is for issues, which the tests check
});

const [orderedAt, paidAt] = [new Date("2025-11-01T09:00:00Z"), new Date("2025-11-02T09:00:00Z")];

/** A sale of another shop: two jerseys of 20 dollars, paid with 64,000 naira. */
function past(change: Record<string, unknown> = {}, payment: Record<string, unknown> = {}): PastSale {
  return readSaleDocument({
    customerDetails: { name: "Ada Obi", email: "ada@example.com", shippingAddress: { state: "Lagos" } },
    products: [{ id: "jersey", title: "Jersey", color: "Green", selectedSize: "M", price: 20, quantity: 2 }],
    paymentDetails: { reference: randomUUID(), amount: 64_000, paymentDate: paidAt.toISOString(), ...payment },
    orderDate: orderedAt.toISOString(),
    totalAmount: 40,
    ...change,
  });
}

const moveIn = (sale: PastSale, pictures?: PastPictures) =>
  db()
    .transaction()
    .execute((trx) => importSale(trx, sale, pictures));

const saleOf = ({ reference }: PastSale) =>
  db().selectFrom("sales").selectAll().where("reference", "=", reference).executeTakeFirstOrThrow();
const orderOf = ({ reference }: PastSale) =>
  db()
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .selectAll("orders")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
const refundsOf = ({ reference }: PastSale) =>
  db().selectFrom("refunds").selectAll().where("reference", "=", reference).orderBy("createdAt").execute();
const issuesOf = ({ reference }: PastSale) =>
  db().selectFrom("paymentIssues").select(["kind", "details"]).where("reference", "=", reference).execute();
const mailedAs = (key: string) =>
  db().selectFrom("outbox").selectAll().where("idempotencyKey", "=", key).executeTakeFirst();

const sums = { subtotalCents: 4000, shippingCents: 0, totalCents: 4000, kobo: "6400000" };

test.each<[string, object[], number]>([
  ["nothing", [], 6_400_000],
  ["a part", [{ amount: 1000, status: "done" }], 6_300_000],
])("a sale paid in cash, of which %s had gone back, goes back by hand, although no book has it", async (...row) => {
  const [, refunds, due] = row;
  const sale = past({}, { paymentMethod: "Cash", refunds });
  await moveIn(sale);
  await refundWished(db(), sale.reference);
  while (await runRefunds(db()));
  expect((await refundsOf(sale)).at(-1)).toMatchObject({ state: "sent", kobo: String(due) });
  expect(await giveByHand(db(), sale.reference, { agreedKobo: due, by: "bisi" })).toMatchObject({ ok: true });
  expect((await refundsOf(sale)).map(({ state }) => state)).toEqual([...refunds.map(() => "done"), "done"]);
});

describe("a sale that moves in", () => {
  test("is sold, paid and told as it was, and what is known already stays as it is", async () => {
    const { id: userId } = await makeShopper(db());
    const delivery = { sentAt: "2025-11-03T09:00:00Z", carrier: "GIG", tracking: "G-1" };
    const sale = past({ userId, delivery }, { status: "In customs" });
    expect(await moveIn(sale)).toEqual({ isNew: true, leftOut: [] });
    const row = await saleOf(sale);
    expect(row).toMatchObject({
      ...sums,
      userId,
      email: "ada@example.com",
      shipping: { firstName: "Ada", lastName: "Obi", state: "Lagos" },
      status: "completed",
      importedStatus: "In customs",
      createdAt: orderedAt,
      greetingDismissedAt: orderedAt,
      fulfilledAt: new Date(delivery.sentAt),
      carrier: "GIG",
      tracking: "G-1",
    });
    expect(Number(row.rate)).toBe(1600);
    const line = { productId: "jersey", title: "Jersey", color: "Green", size: "M", quantity: 2, priceCents: 2000 };
    expect(await orderOf(sale)).toMatchObject({
      ...sums,
      userId,
      email: "ada@example.com",
      shipping: { firstName: "Ada" },
      state: "sold",
      cartVersion: "0",
      lines: [{ ...line, image: null }],
      rateAt: orderedAt,
      expiresAt: orderedAt,
      createdAt: orderedAt,
    });
    const payments = db().selectFrom("payments").selectAll().where("reference", "=", sale.reference);
    expect(await payments.execute()).toMatchObject([
      {
        state: "paid",
        kobo: sums.kobo,
        paidKobo: sums.kobo,
        paidCurrency: "NGN",
        providerStatus: "success",
        paidAt,
        createdAt: paidAt,
      },
    ]);
    const lines = db().selectFrom("saleLines").selectAll().where("saleId", "=", row.id);
    expect(await lines.execute()).toMatchObject([{ ...line, position: 0, image: null }]);
    expect(await mailedAs(`sale:${row.id}`)).toMatchObject({
      kind: "moved-in",
      recipient: "moved in",
      state: "sent",
      sentAt: paidAt,
      messageId: `moved-in:sale:${row.id}`,
    });
    expect([await issuesOf(sale), await refundsOf(sale)]).toEqual([[], []]);
    expect(await moveIn({ ...sale, email: "other@example.com" })).toEqual({ isNew: false, leftOut: [] });
    expect(await saleOf(sale)).toEqual(row);
  });

  test("of a customer who is not there is kept without one, and that is said", async () => {
    const sale = past({ userId: "gone" });
    expect(await moveIn(sale)).toEqual({
      isNew: true,
      leftOut: [{ field: "userId", reason: "there is no customer 'gone': it is kept without one" }],
    });
    expect([(await saleOf(sale)).userId, (await orderOf(sale)).userId]).toEqual([null, null]);
    const nobodys = past();
    expect(await moveIn(nobodys)).toEqual({ isNew: true, leftOut: [] });
    expect((await saleOf(nobodys)).userId).toBeNull();
  });

  test("keeps its id, unless another sale has it", async () => {
    const id = randomUUID();
    const [first, second, none] = [past({ id }), past({ id }), past()];
    for (const sale of [first, second, none]) await moveIn(sale);
    expect((await saleOf(first)).id).toBe(id);
    expect((await saleOf(second)).id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await saleOf(none)).id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("leaves the stock as it is, and is counted as sold", async () => {
    const productId = await makeProduct(db(), { M: 5, L: 1 });
    const piece = { id: productId, title: "Home Jersey", price: 20 };
    await moveIn(past({ products: [{ ...piece, selectedSize: "M", quantity: 2 }] }));
    const sizes = db()
      .selectFrom("productSizes")
      .select(["size", "supplied", "sold", "onHand"])
      .where("productId", "=", productId)
      .orderBy("size");
    expect(await sizes.execute()).toEqual([
      { size: "L", supplied: 1, sold: 0, onHand: 1 },
      { size: "M", supplied: 7, sold: 2, onHand: 5 },
    ]);
  });

  test("has the pictures that were had, and says of each other one what is wrong with it", async () => {
    const image: ProductImage = { hash: "ab".repeat(10), width: 640, height: 800, alt: "Jersey", background: "#fff" };
    const products = ["a.jpg", "b.jpg", "c.jpg", undefined].map((images, at) => {
      return { id: `piece-${at}`, price: 10, quantity: 1, images };
    });
    const sale = past({ products });
    const pictures: PastPictures = new Map<string, ProductImage | { problem: string }>([
      ["a.jpg", image],
      ["b.jpg", { problem: "is no picture" }],
    ]);
    expect(await moveIn(sale, pictures)).toEqual({
      isNew: true,
      leftOut: [{ field: "products.1.images", reason: "b.jpg: is no picture" }],
    });
    const { id } = await saleOf(sale);
    const lines = await db()
      .selectFrom("saleLines")
      .select(["position", "image", sql<boolean>`image is null`.as("isNone")])
      .where("saleId", "=", id)
      .orderBy("position")
      .execute();
    const without = [1, 2, 3].map((position) => ({ position, image: null, isNone: true }));
    expect(lines).toEqual([{ position: 0, image, isNone: false }, ...without]);
    expect((await orderOf(sale)).lines.map((line) => line.image)).toEqual([image, null, null, null]);
  });
});

test.each([
  ["is known as far as the other shop has said", { sentAt: "2025-11-03T09:00:00Z" }, { stage: "sent" }],
  ["is not known where it has said nothing", {}, null],
])("where a sale is that has moved in %s, and nobody is greeted with it", async (_, delivery, progress) => {
  const { id: userId } = await makeShopper(db());
  const sale = past({ userId, delivery });
  await moveIn(sale);
  const [order] = await listOrders(db(), userId);
  expect(order).toMatchObject({ reference: sale.reference, orderedAt, isNew: false, kobo: 6_400_000 });
  if (progress) expect(order?.progress).toMatchObject(progress);
  else expect(order?.progress).toBeNull();
});

test.each([
  ["is asked about for a month", new Date(), [expect.stringMatching(/^IR-/)]],
  ["was sent long ago after that", orderedAt, []],
])("a sale that has moved in, and of which nobody says that it was sent, %s", async (_, day, unsent) => {
  const { id: userId } = await makeShopper(db());
  await moveIn(past({ userId, orderDate: day.toISOString() }));
  expect(await openOrders(db(), userId)).toEqual({ underWay: [], returning: [], unsent });
});

test("a sale of which money was on its way back is one for which its customer must still be known", async () => {
  const { id: userId } = await makeShopper(db());
  await moveIn(past({ userId }, { status: "refunding" }));
  expect(await openOrders(db(), userId)).toMatchObject({ underWay: [expect.stringMatching(/^IR-/)], unsent: [] });
});

describe("of its money", () => {
  const done = (amount: number) => ({
    amount,
    status: "done",
    date: "2025-12-01T09:00:00Z",
    products: [{ id: "jersey", selectedSize: "M", quantity: 1 }],
    shipping: true,
  });
  const underWay = (amount: number) => ({ amount, status: "under way" });
  const ends = async (sale: PastSale) => [(await orderOf(sale)).state, (await saleOf(sale)).status];

  test("a part that had gone back has, and was told; the sale stands", async () => {
    const sale = past({}, { refunds: [done(1000)] });
    await moveIn(sale);
    const [refund] = await refundsOf(sale);
    expect(refund).toMatchObject({
      kobo: "100000",
      reason: "returned",
      state: "done",
      pieces: [{ productId: "jersey", size: "M", quantity: 1 }],
      withShipping: true,
      createdAt: new Date("2025-12-01T09:00:00Z"),
      updatedAt: new Date("2025-12-01T09:00:00Z"),
    });
    for (const key of ["refund", "refund-done"])
      expect(await mailedAs(`${key}:${refund?.id}`)).toMatchObject({ state: "sent", sentAt: refund?.createdAt });
    expect([await ends(sale), await issuesOf(sale)]).toEqual([["sold", "completed"], []]);
  });

  const failed = (amount: number) => [{ kind: "refund-failed", details: { amount, currency: "NGN" } }];
  test.each<[string, Record<string, unknown>, string[], object[]]>([
    ["all that had gone back is refunded", { status: "refunded" }, ["refunded", "refunded"], []],
    [
      "all of which only a part is listed is refunded",
      { status: "refunded", refunds: [done(1000), underWay(2000)] },
      ["refunded", "refunded"],
      [],
    ],
    [
      "all of a sum that is no whole naira is refunded",
      { status: "refunded", amount: 63_999.5, refunds: [done(63_999.5)] },
      ["refunded", "refunded"],
      [],
    ],
    ["all in parts is refunded", { refunds: [done(64_000)] }, ["refunded", "refunded"], []],
    [
      "all of what was under way is refunded",
      { status: "refunding", refunds: [done(64_000)] },
      ["refunded", "refunded"],
      [],
    ],
    [
      "all that was on its way is shown to a person",
      { status: "refunding" },
      ["refunding", "refunding"],
      failed(6_400_000),
    ],
    [
      "the rest that was on its way is shown to a person",
      { status: "refunding", refunds: [done(1000)] },
      ["refunding", "refunding"],
      failed(6_300_000),
    ],
    [
      "a part that was on its way is shown to a person, with its sum; the sale stands",
      { refunds: [underWay(2000)] },
      ["sold", "completed"],
      failed(200_000),
    ],
  ])("%s", async (_, payment, states, issues) => {
    const sale = past({}, payment);
    await moveIn(sale);
    expect(await ends(sale)).toEqual(states);
    expect(await issuesOf(sale)).toEqual(issues);
  });
});
