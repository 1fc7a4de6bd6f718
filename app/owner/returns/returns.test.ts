import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { removePictures } from "#app/catalog/pictures/store.server.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { renderers } from "#app/orders/emails.tsx";
import { getOrder } from "#app/orders/history.server.ts";
import { askReturn, readReturnOffer, withdrawReturn } from "#app/orders/returns/ask.server.ts";
import { addReturnPicture, nameOfPicture, returnPicture } from "#app/orders/returns/pictures.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { arrived, asked, OFFICE as by, delivered } from "#tests/support/returns.ts";
import { makeShopper, orderBy } from "#tests/support/shop.ts";
import type { Keyset } from "../keyset.server.ts";
import { orderHistory } from "../orders/history.server.ts";
import { showReturn } from "./list.server.ts";
import { proposeReturnRefund, refundReturn } from "./refund.server.ts";
import { approveReturn, declineReturn, receiveReturn, sendExchange } from "./returns.server.ts";
import { countReturns, listReturns, type ReturnSearch, searchReturns } from "./search.server.ts";
import { viewReturn } from "./view.server.ts";

const checkout = useCheckout();
const { db, provider, refundsOf, catchUp, statesOf, mailsAbout } = checkout;
/** The prices of one M (49.99 dollars) and of delivery to Lagos in kobo, at 1,600 naira. */
const [ONE, SHIPPING] = [7_998_400, 560_000];

const sizeOf = (productId: string, size: string) =>
  db()
    .selectFrom("productSizes")
    .select(["sold", "reserved", "onHand"])
    .where("productId", "=", productId)
    .where("size", "=", size)
    .executeTakeFirstOrThrow();
const stepsTold = async (number: string) => {
  const rows = await db()
    .selectFrom("outbox")
    .select("data")
    .where("kind", "=", "return")
    .where(sql<boolean>`data ->> 'returnNumber' = ${number}`)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ data }) => data.step);
};
const auditOf = async (number: string) => {
  const rows = await db()
    .selectFrom("auditLog")
    .select("action")
    .where("subjectId", "=", number)
    .orderBy("id")
    .execute();
  return rows.map(({ action }) => action);
};
const askedAtProvider = (reference: string) =>
  provider.bodies.filter((body) => (body as { transaction?: string }).transaction === reference).length;

describe("a return for money", () => {
  test("is requested, approved, received and refunded without the shipping; each step is mailed and logged", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    const number = await asked(db(), sale);
    expect(number).toMatch(/^RT-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{2}$/);
    expect(await refundReturn(db(), number, { by })).toMatchObject({ ok: false });
    expect(await approveReturn(db(), number, { by, message: "Send it to\n1 Broad Street" })).toMatchObject({
      ok: true,
    });
    expect(await refundReturn(db(), number, { by })).toMatchObject({
      problem: expect.stringContaining("haven't come back"),
    });
    expect(await receiveReturn(db(), number, { by })).toMatchObject({ ok: true });
    expect(await proposeReturnRefund(db(), number)).toMatchObject({ ok: true, kobo: ONE });
    expect(await refundReturn(db(), number, { by, agreedKobo: ONE, restock: true })).toMatchObject({ ok: true });
    expect(await refundReturn(db(), number, { by, agreedKobo: ONE })).toMatchObject({ ok: false });
    await catchUp(sale.reference);
    provider.finishRefunds("processed", sale.reference);
    await catchUp(sale.reference);
    expect(askedAtProvider(sale.reference)).toBe(1);
    expect(await refundsOf(sale.reference)).toMatchObject([{ kobo: String(ONE), state: "done", withShipping: false }]);
    expect(await statesOf(sale.user)).toEqual(["sold"]);
    expect(await sizeOf(sale.productId, "M")).toEqual({ sold: 2, reserved: 0, onHand: 4 });
    expect(await stepsTold(number)).toEqual(["asked", "approved", "received"]);
    expect(await mailsAbout(sale.reference)).toEqual(expect.arrayContaining(["refund-started", "refund-done"]));
    expect(await auditOf(number)).toEqual(["returns approve", "returns receive", "returns refund"]);
    const order = await getOrder(db(), sale.user.id, sale.reference);
    expect(order?.returns).toMatchObject([{ number, state: "done", pieces: [{ size: "M", quantity: 1 }] }]);
    expect(await showReturn(db(), number)).toMatchObject({ state: "done", refundKobo: ONE, restocked: true });
  });

  test("for a mistake of the shop also refunds the shipping, unless staff say otherwise", async () => {
    for (const [reason, withShipping, sum] of [
      ["damaged", undefined, ONE + SHIPPING],
      ["damaged", false, ONE],
      ["unwanted", undefined, ONE],
      ["unwanted", true, ONE + SHIPPING],
    ] as const) {
      const number = await asked(db(), await delivered(checkout, { quantity: 2 }), { reason });
      await approveReturn(db(), number, { by, waive: true });
      expect(await proposeReturnRefund(db(), number, { withShipping })).toMatchObject({ kobo: sum });
      expect(await refundReturn(db(), number, { by, withShipping })).toMatchObject({ ok: true });
    }
  });

  test("can be refunded with a lower sum, but never with more than is left", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    const number = await asked(db(), sale);
    await approveReturn(db(), number, { by });
    await receiveReturn(db(), number, { by });
    expect(await refundReturn(db(), number, { by, kobo: 999_999_999 })).toMatchObject({ ok: false });
    expect(await refundReturn(db(), number, { by, kobo: 100_000 })).toMatchObject({ ok: true });
    expect(await refundsOf(sale.reference)).toMatchObject([{ kobo: "100000", pieces: [{ quantity: 1 }] }]);
  });

  test("needs nothing sent back if the owner waives that, and then restocks nothing", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale, { reason: "damaged" });
    await approveReturn(db(), number, { by, waive: true });
    expect(await refundReturn(db(), number, { by, restock: true })).toMatchObject({ ok: false });
    expect(await refundReturn(db(), number, { by })).toMatchObject({ ok: true });
    expect(await statesOf(sale.user)).toEqual(["refunding"]);
  });

  test("can be declined with a reason, also after it has arrived, and requested again", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale);
    expect(await declineReturn(db(), number, { by, message: " " })).toMatchObject({ ok: false });
    await approveReturn(db(), number, { by });
    await receiveReturn(db(), number, { by });
    expect(await declineReturn(db(), number, { by, message: "It was worn" })).toMatchObject({ ok: true });
    expect(await stepsTold(number)).toEqual(["asked", "approved", "received", "declined"]);
    expect(await asked(db(), sale)).not.toBe(number);
  });

  test("and other refunds never refund a piece twice", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    const number = await asked(db(), sale);
    const pieces = [{ productId: sale.productId, size: "M", quantity: 2 }];
    expect(await refundWished(db(), sale.reference, { pieces })).toMatchObject({ ok: false });
    expect(await refundWished(db(), sale.reference)).toMatchObject({
      problem: expect.stringContaining("return of it is open"),
    });
    const one = [{ ...pieces[0], productId: sale.productId, size: "M", quantity: 1 }];
    expect(await refundWished(db(), sale.reference, { pieces: one })).toMatchObject({ ok: true });
    expect(await readReturnOffer(db(), sale.user.id, sale.reference)).toEqual({ ok: false, why: "nothing-left" });
    const more = sql`update return_pieces set quantity = 2`.execute(db());
    await expect(more).rejects.toThrow("go back than were bought");
    await approveReturn(db(), number, { by, waive: true });
    expect(await refundReturn(db(), number, { by })).toMatchObject({ ok: true });
  });
});

describe("an exchange", () => {
  test.each<[string, (number: string) => Promise<{ ok: boolean }>]>([
    ["sent", (number) => sendExchange(db(), number, { by, restock: true })],
    ["given money for", (number) => refundReturn(db(), number, { by, restock: true })],
  ])("that is %s locks both its sizes in a fixed order", async (_, end) => {
    const sale = await delivered(checkout, { sizes: { M: 5, S: 1 } });
    const number = await asked(db(), sale, { newSize: "S" });
    await approveReturn(db(), number, { by });
    await receiveReturn(db(), number, { by });
    const lock = (size: string, trx: Transaction) =>
      sql`select from product_sizes where product_id = ${sale.productId} and size = ${size} for update nowait`.execute(
        trx,
      );
    let ended: Promise<{ ok: boolean }> | undefined;
    await db()
      .transaction()
      .execute(async (rival) => {
        await lock("M", rival);
        ended = end(number);
        await expect.poll(() => countBlocked(db())).toBe(1);
        await lock("S", rival);
      });
    expect(await ended).toMatchObject({ ok: true });
  });

  test("reserves the other size from its approval on, and refunds nothing", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale, { newSize: "L" });
    expect(await sizeOf(sale.productId, "L")).toMatchObject({ reserved: 0 });
    expect(await approveReturn(db(), number, { by })).toMatchObject({ what: expect.stringContaining("reserved") });
    expect(await sizeOf(sale.productId, "L")).toEqual({ sold: 0, reserved: 1, onHand: 1 });
    const rival = await makeShopper(db(), { productId: sale.productId, size: "L" });
    expect(await startPayment(db(), orderBy(rival))).toMatchObject({ ok: false, problem: "out-of-stock" });
    await receiveReturn(db(), number, { by });
    const parcel = { carrier: "GIG", tracking: "G-1" };
    expect(await sendExchange(db(), number, { by, ...parcel, restock: true })).toMatchObject({ ok: true });
    expect(await sendExchange(db(), number, { by })).toMatchObject({ ok: false });
    expect(await sizeOf(sale.productId, "L")).toEqual({ sold: 1, reserved: 0, onHand: 0 });
    expect(await sizeOf(sale.productId, "M")).toEqual({ sold: 1, reserved: 0, onHand: 5 });
    expect(await refundsOf(sale.reference)).toEqual([]);
    expect(await stepsTold(number)).toEqual(["asked", "approved", "received", "sent"]);
    expect(await readReturnOffer(db(), sale.user.id, sale.reference)).toEqual({ ok: false, why: "nothing-left" });
    // The shopper now has an L, which can be refunded, but no M that could be restocked.
    expect(await refundWished(db(), sale.reference, { restock: true })).toMatchObject({ ok: false });
    expect(await refundWished(db(), sale.reference)).toMatchObject({ ok: true });
  });

  test("for the last piece: of two that are approved at once one gets it, and the other can be refunded", async () => {
    const first = await delivered(checkout, { sizes: { M: 5, L: 1 } });
    const buyer = await makeShopper(db(), { productId: first.productId, size: "M" });
    const { reference } = await checkout.open(buyer);
    provider.pay(reference);
    await settlePayment(reference);
    await arrived(db(), reference);
    const second = { ...first, user: buyer, reference };
    const numbers = [await asked(db(), first, { newSize: "L" }), await asked(db(), second, { newSize: "L" })];
    const done = await Promise.all(numbers.map((number) => approveReturn(db(), number, { by })));
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    const loser = numbers[done.findIndex(({ ok }) => !ok)] ?? "";
    expect(await showReturn(db(), loser)).toMatchObject({ state: "asked" });
    expect(await sizeOf(first.productId, "L")).toEqual({ sold: 0, reserved: 1, onHand: 1 });
    expect(await approveReturn(db(), loser, { by, forMoney: true, waive: true })).toMatchObject({ ok: true });
    expect(await refundReturn(db(), loser, { by })).toMatchObject({ ok: true });
  });

  test.each<[string, (number: string, userId: string) => Promise<unknown>]>([
    ["declined", (number) => declineReturn(db(), number, { by, message: "No" })],
    ["withdrawn", (number, userId) => withdrawReturn(db(), userId, number)],
    ["given money for", (number) => refundReturn(db(), number, { by, waive: true })],
  ])("that is %s releases its stock", async (_, end) => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale, { newSize: "L" });
    await approveReturn(db(), number, { by });
    await end(number, sale.user.id);
    expect(await sizeOf(sale.productId, "L")).toEqual({ sold: 0, reserved: 0, onHand: 1 });
  });
});

test("a return for money can become an exchange for a size in stock, or for the same one if it was damaged", async () => {
  const sale = await delivered(checkout, { quantity: 2 });
  const number = await asked(db(), sale);
  const of = (newSize: string) => [{ productId: sale.productId, size: "M", newSize }];
  for (const newSizes of [of("M"), of("XXL"), [...of("L"), ...of("L")]])
    expect(await approveReturn(db(), number, { by, newSizes })).toMatchObject({ ok: false });
  expect(await showReturn(db(), number)).toMatchObject({ state: "asked", wish: "money", pieces: [{ newSize: null }] });
  expect(await approveReturn(db(), number, { by, newSizes: of("L") })).toMatchObject({ ok: true });
  expect(await showReturn(db(), number)).toMatchObject({ wish: "exchange", pieces: [{ newSize: "L" }] });
  expect(await sizeOf(sale.productId, "L")).toMatchObject({ reserved: 1 });
  const broken = await asked(db(), sale, { reason: "damaged" });
  expect(await approveReturn(db(), broken, { by, newSizes: of("M"), waive: true })).toMatchObject({ ok: true });
  expect(await sendExchange(db(), broken, { by })).toMatchObject({ ok: true });
});

describe("two members who decide at once", () => {
  const BISI = { name: "bisi@example.com", door: "office" } as const;

  test("the later one is told the other's decision, and a second press has the first one's result", async () => {
    const number = await asked(db(), await delivered(checkout));
    const seen = "0";
    expect(await approveReturn(db(), number, { by, seen })).toMatchObject({ ok: true });
    expect(await approveReturn(db(), number, { by, seen })).toMatchObject({ ok: true, isRepeat: true });
    expect(await declineReturn(db(), number, { by: BISI, seen, message: "No" })).toMatchObject({
      ok: false,
      since: [{ by: by.name, action: "returns approve" }],
    });
    expect(await auditOf(number)).toEqual(["returns approve"]);
    const [act] = (await viewReturn(db(), number))?.acts ?? [];
    expect(await declineReturn(db(), number, { by: BISI, seen: act?.id, message: "No" })).toMatchObject({ ok: true });
  });
});

describe("the office's list", () => {
  const found = async (search: Partial<ReturnSearch>) => (await searchReturns(db(), { view: "all", ...search })).rows;

  test("is searched by number, order, name and phone, and by the request", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    const [money, other] = [await asked(db(), sale), await asked(db(), sale, { newSize: "L" })];
    const [one] = await found({ text: money });
    expect(one).toMatchObject({ number: money, what: "Home Jersey, M", why: "Doesn’t fit", kobo: ONE });
    const { phoneNumber } = (await viewReturn(db(), money))?.shipping ?? { phoneNumber: "" };
    for (const text of [one?.orderNumber, one?.email, `${one?.customer.split(" ")[0]} ${phoneNumber}`])
      expect((await found({ text, reference: sale.reference })).map(({ number }) => number)).toEqual([other, money]);
    expect((await found({ customer: sale.user.id, wish: "exchange" })).map(({ why }) => why)).toEqual([
      "Another size: L",
    ]);
    expect(await found({ text: "RT-0000-00" })).toEqual([]);
  });

  test.each([
    ["what is late first", undefined],
    ["the oldest first", "oldest"],
  ] as const)("goes page by page in both directions, %s", async (_, sort) => {
    const sale = await delivered(checkout, { quantity: 5 });
    const numbers: string[] = [];
    for (let at = 0; at < 5; at++) numbers.unshift(await asked(db(), sale));
    const late = numbers[3] ?? "";
    await approveReturn(db(), late, { by, waive: true });
    await db()
      .updateTable("returns")
      .set({ decidedAt: new Date(0) })
      .where("number", "=", late)
      .execute();
    const sorted = sort ? numbers.toReversed() : [late, ...numbers.filter((number) => number !== late)];
    const search = { view: "open", sort, reference: sale.reference } as const;
    const read = async (place: Keyset) => {
      const { rows, ...ends } = await searchReturns(db(), search, place, 2);
      return { numbers: rows.map(({ number }) => number), ...ends };
    };
    const first = await read({});
    const second = await read({ before: first.older });
    const third = await read({ before: second.older });
    expect([...first.numbers, ...second.numbers, ...third.numbers]).toEqual(sorted);
    expect([first.newer, third.older]).toEqual([undefined, undefined]);
    expect((await read({ after: third.newer })).numbers).toEqual(second.numbers);
    expect((await read({ after: second.newer })).numbers).toEqual(first.numbers);
    expect((await found({ view: "overdue", reference: sale.reference })).map(({ standing }) => standing.text)).toEqual([
      "Refund overdue",
    ]);
    expect(await countReturns(db())).toMatchObject({ overdue: expect.any(Number) });
  });
});

test("the page of a return has the rules, the stock and all events, which are also in the order's history", async () => {
  const sale = await delivered(checkout, { quantity: 2, ago: "21 hours" });
  const number = await asked(db(), sale, { reason: "damaged" });
  await approveReturn(db(), number, { by, message: "We are sorry", waive: true });
  expect(await viewReturn(db(), number)).toMatchObject({
    standing: { text: "To refund" },
    policy: { isWithin: true, days: expect.any(Number), damage: { hours: 21, isInTime: true }, isFinalSale: false },
    sizes: [{ size: "M" }, { size: "L", available: 1 }],
    refundable: { returningPieces: [] },
  });
  await refundReturn(db(), number, { by });
  const view = await viewReturn(db(), number);
  expect(view?.happenings.map(({ title }) => title)).toEqual([
    expect.stringMatching(/on its way back$/),
    "Return approved",
    "Return requested",
  ]);
  const history = await orderHistory(db(), view?.orderNumber ?? "");
  expect(history.filter(({ to }) => to === `/returns/${number}`).map(({ title, words }) => [title, words])).toEqual([
    ["Return approved", "We are sorry"],
    ["Return requested", "See the pictures"],
  ]);
  expect(history.find(({ title }) => title.endsWith("on its way back"))?.by).toBe(by.name);
});

describe("a shopper", () => {
  test("can return only own pieces that were sent, within 14 days", async () => {
    const sale = await delivered(checkout);
    const stranger = await makeShopper(db());
    const pieces = [{ productId: sale.productId, size: "M", quantity: 1, newSize: null }];
    const request = { pieces, reason: "size", words: "" } as const;
    expect(await askReturn(db(), stranger.id, sale.reference, request)).toBeUndefined();
    const number = await asked(db(), sale);
    expect(await withdrawReturn(db(), stranger.id, number)).toBe(false);
    expect(await withdrawReturn(db(), sale.user.id, number)).toBe(true);
    expect(await withdrawReturn(db(), sale.user.id, number)).toBe(false);
    const late = await delivered(checkout, { ago: "16 days" });
    expect(await askReturn(db(), late.user.id, late.reference, request)).toEqual({ ok: false, why: "too-late" });
    await db()
      .updateTable("sales")
      .set({ fulfilledAt: null, deliveredAt: null })
      .where("reference", "=", late.reference)
      .execute();
    expect(await askReturn(db(), late.user.id, late.reference, request)).toEqual({ ok: false, why: "not-sent" });
  });

  test("who presses twice makes one request", async () => {
    const sale = await delivered(checkout);
    const done = await Promise.allSettled([asked(db(), sale), asked(db(), sale)]);
    expect(done.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("gets mails in plain words", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale, { newSize: "L" });
    await approveReturn(db(), number, { by, message: "Send it to\n1 Broad Street" });
    const rows = await db().selectFrom("outbox").select("data").where("kind", "=", "return").execute();
    const mails = await Promise.all(
      rows.flatMap(({ data }) => (data.returnNumber === number ? [renderers.return?.(data)] : [])),
    );
    expect(mails.map((mail) => mail?.subject).sort()).toEqual([
      "We have your request for an exchange",
      "Your exchange is approved",
    ]);
    for (const mail of mails) expect(mail?.text).toContain("1 × Home Jersey, Green, M, for L");
    expect(mails.some((mail) => mail?.text.includes("1 Broad Street"))).toBe(true);
  });
});

describe("the list of the commands", () => {
  test("has all returns, those of a state or of an order, newest first", async () => {
    const sale = await delivered(checkout, { quantity: 3 });
    const numbers = [await asked(db(), sale), await asked(db(), sale), await asked(db(), sale)].toReversed();
    await approveReturn(db(), numbers[0] ?? "", { by });
    const list = (search: Partial<ReturnSearch>, limit = 9) => listReturns(db(), { view: "all", ...search }, limit);
    const [first] = await list({}, 1);
    expect(first?.number).toBe(numbers[0]);
    expect((await list({}, 3)).map(({ number }) => number)).toEqual(numbers);
    const found = await list({ text: first?.orderNumber, state: "asked" });
    expect(found.map(({ number }) => number)).toEqual(numbers.slice(1));
    expect(await list({ view: "open", text: numbers[2] })).toHaveLength(1);
  });

  test("names those whose refund is late, until it is done", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale);
    const isOverdue = async () =>
      (await listReturns(db(), { view: "overdue" }, 1000)).some((one) => one.number === number);
    const longAgo = (column: "decidedAt" | "receivedAt") =>
      db()
        .updateTable("returns")
        .set({ [column]: new Date(Date.now() - 13 * 24 * 3_600_000) })
        .where("number", "=", number)
        .execute();
    await approveReturn(db(), number, { by });
    await longAgo("decidedAt");
    expect(await isOverdue()).toBe(false);
    await receiveReturn(db(), number, { by });
    expect(await isOverdue()).toBe(false);
    await longAgo("receivedAt");
    expect(await isOverdue()).toBe(true);
    await refundReturn(db(), number, { by });
    expect(await isOverdue()).toBe(true);
    await catchUp(sale.reference);
    provider.finishRefunds("processed", sale.reference);
    await catchUp(sale.reference);
    expect(await isOverdue()).toBe(false);
  });
});

test("a backup has returns with their pictures, and the restored data is consistent, also the refunded sums", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-returns-"));
  env.pictures = { folder: path.join(folder, "pictures") };
  const sale = await delivered(checkout, { quantity: 3 });
  const [refunded, open] = [await asked(db(), sale, { reason: "damaged" }), await asked(db(), sale, { newSize: "L" })];
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#a33" } })
    .jpeg()
    .toBuffer();
  expect(await addReturnPicture(db(), sale.user.id, refunded, picture)).toEqual({ ok: true });
  await approveReturn(db(), refunded, { by, waive: true });
  await refundReturn(db(), refunded, { by });
  await approveReturn(db(), open, { by });
  const whole = await delivered(checkout);
  expect(await refundWished(db(), whole.reference)).toMatchObject({ ok: true });
  const before = await Promise.all([refunded, open].map((number) => showReturn(db(), number)));
  const file = path.join(folder, "shop.backup");
  expect(await command(db(), ["backup", file])).toMatchObject({ code: 0 });
  await sql`truncate products, users, orders cascade`.execute(db());
  await removePictures([nameOfPicture(before[0]?.pictures[0] ?? "")]);
  expect(await command(db(), ["restore", file])).toMatchObject({
    code: 0,
    text: expect.stringContaining("Restored: "),
  });
  expect(await Promise.all([refunded, open].map((number) => showReturn(db(), number)))).toEqual(before);
  expect(await returnPicture(db(), before[0]?.pictures[0] ?? "", sale.user.id)).toBeDefined();
  rmSync(folder, { recursive: true });
});
