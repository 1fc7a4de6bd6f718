import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { arrived, asked, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { holdUnits } from "../reservation.server.ts";
import { askReturn } from "./ask.server.ts";
import { listReturnsOf, lockReturn, moveReturn, newPieces, piecesInReturns, tellOfReturn } from "./rows.server.ts";
import type { ReturnEvent } from "./state.ts";

const checkout = useCheckout();
const { db, provider, open } = checkout;

// Each test does only a part of what one transaction does, which leaves inconsistent books.
afterEach(async () => {
  await sql`truncate users, orders, products, outbox cascade`.execute(db());
  provider.reset();
});

const inOne = <T>(work: (trx: Transaction) => Promise<T>): Promise<T> => db().transaction().execute(work);
/** Moves a return and sets these columns. Returns whether its state accepted the event. */
const move = (number: string, event: ReturnEvent, set: Parameters<typeof moveReturn>[3] = {}) =>
  inOne(async (trx) => {
    const found = await lockReturn(trx, number);
    if (!found) throw new Error("no return");
    if (event === "approve" && found.wish === "exchange") await holdUnits(trx, newPieces(found));
    return moveReturn(trx, found, event, set);
  });
const rowOf = (number: string) =>
  db().selectFrom("returns").selectAll().where("number", "=", number).executeTakeFirstOrThrow();
const sizeL = (productId: string) =>
  db()
    .selectFrom("productSizes")
    .select(["sold", "reserved"])
    .where("productId", "=", productId)
    .where("size", "=", "L")
    .executeTakeFirstOrThrow();

test("a locked return has its pieces by product and size, and its order", async () => {
  const [first = "", second = ""] = [
    await makeProduct(db(), { M: 5, L: 5 }),
    await makeProduct(db(), { M: 5 }),
  ].toSorted();
  const lines = [
    { productId: second, size: "M" },
    { productId: first, size: "M" },
  ];
  await db()
    .insertInto("productSizes")
    .values([first, second].map((productId) => ({ productId, size: "S", supplied: 5 })))
    .execute();
  const user = await makeShopper(db(), ...lines, { productId: first, size: "S", quantity: 2 });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference);
  await arrived(db(), reference);
  const pieces = [
    { productId: second, size: "M", quantity: 1, newSize: null },
    { productId: first, size: "S", quantity: 2, newSize: null },
    { productId: first, size: "M", quantity: 1, newSize: null },
  ];
  const answer = await askReturn(db(), user.id, reference, { pieces, reason: "size", words: "" });
  const number = answer?.ok ? (answer.numbers[0] ?? "") : "";
  const found = await inOne((trx) => lockReturn(trx, number));
  expect(found).toMatchObject({ number, reference, state: "asked", order: { userId: user.id } });
  expect(found?.pieces).toEqual([pieces[2], pieces[1], pieces[0]]);
  expect(await inOne((trx) => lockReturn(trx, "RT-0000-00"))).toBeUndefined();
});

test("the pieces to send in exchange are the new sizes, in the same number", () => {
  const piece = { productId: "jersey", size: "M", quantity: 2 };
  const pieces = [
    { ...piece, newSize: "L" },
    { ...piece, productId: "cap", newSize: null },
  ];
  expect(newPieces({ pieces })).toEqual([{ productId: "jersey", size: "L", quantity: 2 }]);
});

describe("a return that is moved", () => {
  test("has the new state and columns, and stays unchanged if its state does not accept the event", async () => {
    const sale = await delivered(checkout);
    const [number, other] = [await asked(db(), sale), await asked(db(), await delivered(checkout))];
    const decidedAt = new Date("2026-01-05T09:00:00Z");
    expect(await move(number, "end", { answer: "No" })).toBe(false);
    expect(await rowOf(number)).toMatchObject({ state: "asked", answer: "" });
    expect(await move(number, "approve", { answer: "Yes", decidedAt })).toBe(true);
    expect(await rowOf(number)).toMatchObject({ state: "approved", answer: "Yes", decidedAt });
    expect(await rowOf(other)).toMatchObject({ state: "asked", answer: "" });
    expect(await move(number, "decline")).toBe(true);
  });

  test.each<[string, ReturnEvent[], boolean, string]>([
    ["holds the other size while it is approved or back", ["receive"], false, "0 1"],
    ["releases it if it is declined", ["decline"], false, "0 0"],
    ["releases it if it ends otherwise", ["receive", "end"], false, "0 0"],
    ["sells it if it was sent", ["receive", "end"], true, "1 0"],
  ])("as an exchange %s", async (_, events, sent, stock) => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale, { newSize: "L" });
    await move(number, "approve", { decidedAt: new Date() });
    for (const event of events) await move(number, event, event === "end" ? { sent } : {});
    const { sold, reserved } = await sizeL(sale.productId);
    expect(`${sold} ${reserved}`).toBe(stock);
  });

  test("for money changes no stock, even with a wanted size", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale, { newSize: "L" });
    await inOne(async (trx) => {
      const found = await lockReturn(trx, number);
      if (!found) throw new Error("no return");
      await moveReturn(trx, { ...found, wish: "money" }, "approve", { wish: "money" });
    });
    await move(number, "decline");
    expect(await sizeL(sale.productId)).toEqual({ sold: 0, reserved: 0 });
  });
});

test("the shopper gets one mail about a step, with the parcel", async () => {
  const sale = await delivered(checkout);
  const number = await asked(db(), sale);
  const { id } = await rowOf(number);
  for (const _ of [1, 2])
    await inOne(async (trx) => {
      const found = await lockReturn(trx, number);
      if (found) await tellOfReturn(trx, found, "sent", { carrier: "GIG", tracking: "G-1" });
    });
  const mails = db().selectFrom("outbox").select(["recipient", "kind", "data"]);
  expect(await mails.where("idempotencyKey", "=", `return:${id}:sent`).execute()).toMatchObject([
    {
      recipient: "ada@example.com",
      kind: "return",
      data: { step: "sent", returnNumber: number, carrier: "GIG", tracking: "G-1", isExchange: false, sendBack: true },
    },
  ]);
});

describe("the pieces of a payment's returns", () => {
  const brief = async (reference: string, except?: string) => {
    const { live, exchanged, all } = await piecesInReturns(db(), reference, except);
    return [live.length, exchanged.length, all.length];
  };

  test("are live until the returns have ended; exchanged and unrefunded ones still count", async () => {
    const sale = await delivered(checkout, { quantity: 5 });
    const { reference } = sale;
    const of = async (...events: ReturnEvent[]) => {
      const number = await asked(db(), sale, events.includes("end") ? { newSize: "L" } : {});
      for (const event of events) await move(number, event, event === "end" ? { sent: true } : {});
      return number;
    };
    expect(await brief(reference)).toEqual([0, 0, 0]);
    const first = await of();
    await of("approve");
    await of("approve", "receive");
    await of("decline");
    await of("withdraw");
    await asked(db(), sale, { newSize: "L" });
    expect(await brief(reference)).toEqual([4, 0, 4]);
    expect(await brief(reference, (await rowOf(first)).id)).toEqual([3, 0, 3]);
    const done = await of("approve", "receive", "end");
    expect(await brief(reference)).toEqual([4, 1, 5]);
    expect((await piecesInReturns(db(), reference)).exchanged).toMatchObject([{ size: "M", quantity: 1 }]);
    expect(await brief((await delivered(checkout)).reference)).toEqual([0, 0, 0]);
    await db().updateTable("returns").set({ wish: "money" }).where("number", "=", done).execute();
    expect(await brief(reference)).toEqual([4, 0, 5]);
    const refund = { reference, kobo: 1, reason: "returned", state: "done" } as const;
    const { id } = await db().insertInto("refunds").values(refund).returning("id").executeTakeFirstOrThrow();
    await db().updateTable("returns").set({ refundId: id }).where("number", "=", done).execute();
    expect(await brief(reference)).toEqual([4, 0, 4]);
  });
});

test("a shopper's returns are those of all own orders, each with its order's reference", async () => {
  const sale = await delivered(checkout, { quantity: 2 });
  await asked(db(), await delivered(checkout));
  const numbers = [await asked(db(), sale), await asked(db(), sale)];
  const { reference } = sale;
  expect(await listReturnsOf(db(), sale.user.id)).toMatchObject(
    numbers.toReversed().map((number) => ({ number, reference, state: "asked", wish: "money", pictures: [] })),
  );
  expect(await listReturnsOf(db(), (await makeShopper(db())).id)).toEqual([]);
});
