import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { arrived, asked, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { getOrder } from "../history.server.ts";
import { lockOrder } from "../lifecycle.server.ts";
import { askReturn, readReturnOffer, withdrawReturn } from "./ask.server.ts";
import type { ReturnRequest } from "./rules.ts";

const checkout = useCheckout();
const { db, provider, open, catchUp } = checkout;

type Sale = Awaited<ReturnType<typeof delivered>>;
const offerOf = ({ user, reference }: Sale, now?: Date) => readReturnOffer(db(), user.id, reference, now);
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
const mailsOf = async (number: string) => {
  const mails = db()
    .selectFrom("outbox")
    .select(["idempotencyKey", "recipient", "data"])
    .where("kind", "=", "return")
    .where(sql<boolean>`data ->> 'returnNumber' = ${number}`)
    .orderBy("createdAt");
  return mails.execute();
};

describe("the pieces that can be returned", () => {
  test("are the delivered ones, with the last day and the other sizes; one line per size, whatever the colours", async () => {
    const productId = await makeProduct(db(), { M: 5, L: 2 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 2 }, { productId, size: "L" });
    const red = { userId: user.id, productId, size: "M", color: "Red", quantity: 1, priceCents: 4999 };
    await db().insertInto("cartLines").values(red).execute();
    const { reference } = await open(user);
    provider.pay(reference);
    await settlePayment(reference);
    await arrived(db(), reference);
    const known = await readReturnOffer(db(), user.id, reference);
    expect(known).toMatchObject({ ok: true, reference });
    if (!known?.ok) throw new Error("nothing can be returned");
    const { lines, sizes, until, deadlines } = known.offer;
    expect(lines.map(({ size, quantity }) => `${quantity} ${size}`).toSorted()).toEqual(["1 L", "3 M"]);
    expect(sizes.toSorted((a, b) => a.size.localeCompare(b.size))).toEqual([
      { productId, size: "L", available: 1 },
      { productId, size: "M", available: 2 },
    ]);
    expect(deadlines).toMatchObject({ isOpen: true, isOpenForDamage: true });
    expect(until).toBe(deadlines.until.toString());
  });

  test("40 have the sizes for an exchange from small to large", async () => {
    const known = await offerOf(await delivered(checkout, { sizes: { XXL: 1, L: 1, M: 5, XL: 1, S: 1 } }));
    expect(known?.ok && known.offer.sizes.map(({ size }) => size)).toEqual(["S", "M", "L", "XL", "XXL"]);
  });

  test("are none for an order that is no sale of this account", async () => {
    const sale = await delivered(checkout);
    const stranger = await makeShopper(db());
    expect(await readReturnOffer(db(), stranger.id, sale.reference)).toBeUndefined();
    expect(await readReturnOffer(db(), sale.user.id, "no such reference")).toBeUndefined();
  });

  test.each<[string, (sale: Sale) => Promise<unknown>]>([
    ["came-back", ({ reference }) => change(reference, { returnedAt: new Date() })],
    ["not-sent", ({ reference }) => change(reference, { fulfilledAt: null, deliveredAt: null })],
    ["not-sold", ({ reference }) => refundWished(db(), reference)],
    ["nothing-left", (sale) => asked(db(), sale)],
  ])("are none: %s", async (why, happens) => {
    const sale = await delivered(checkout);
    await happens(sale);
    expect(await offerOf(sale)).toEqual({ ok: false, why });
  });

  test("are none after 14 days; if none are left anyway, that is the reason", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    expect(await offerOf(sale, inDays(16))).toEqual({ ok: false, why: "too-late" });
    await asked(db(), sale, { quantity: 2 });
    expect(await offerOf(sale, inDays(16))).toEqual({ ok: false, why: "nothing-left" });
  });

  test("exclude refunded pieces and those of failed refunds; a replaced refund counts once", async () => {
    const sale = await delivered(checkout, { quantity: 3 });
    const pieces = [{ productId: sale.productId, size: "M", quantity: 1 }];
    const left = async () => {
      const known = await offerOf(sale);
      return known?.ok ? known.offer.lines.map(({ quantity }) => quantity) : known?.why;
    };
    await refundWished(db(), sale.reference, { pieces });
    await catchUp(sale.reference);
    provider.finishRefunds("failed", sale.reference);
    await catchUp(sale.reference);
    expect(await left()).toEqual([2]);
    await refundWished(db(), sale.reference, { pieces });
    expect(await left()).toEqual([2]);
    await catchUp(sale.reference);
    provider.finishPending("processed", sale.reference);
    await catchUp(sale.reference);
    expect(await left()).toEqual([2]);
  });
});

describe("a request", () => {
  const request = ({ productId }: Sale, change: Partial<ReturnRequest> = {}): ReturnRequest => ({
    pieces: [{ productId, size: "M", quantity: 1, newSize: null }],
    reason: "size",
    words: "  Too small.\n",
    ...change,
  });

  test("is stored as it was typed, trimmed, and confirmed by mail", async () => {
    const sale = await delivered(checkout);
    const answer = await askReturn(db(), sale.user.id, sale.reference, request(sale));
    expect(answer).toEqual({ ok: true, numbers: [expect.stringMatching(/^RT-/)] });
    const [number = ""] = answer?.ok ? answer.numbers : [];
    expect((await getOrder(db(), sale.user.id, sale.reference))?.returns).toMatchObject([
      { number, state: "asked", reason: "size", wish: "money", words: "Too small.", answer: "", sendBack: true },
    ]);
    expect(await mailsOf(number)).toMatchObject([
      {
        idempotencyKey: expect.stringMatching(/^return:.+:asked$/),
        recipient: "ada@example.com",
        data: { step: "asked", isExchange: false, sendBack: true, pieces: ["1 × Home Jersey, Green, M"] },
      },
    ]);
  });

  test("for money and for another size makes two returns, each with its pieces", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    const piece = { productId: sale.productId, size: "M", quantity: 1 };
    const pieces = [
      { ...piece, newSize: null },
      { ...piece, newSize: "L" },
    ];
    const answer = await askReturn(db(), sale.user.id, sale.reference, request(sale, { pieces }));
    const numbers = answer?.ok ? answer.numbers : [];
    expect(numbers).toHaveLength(2);
    const returns = (await getOrder(db(), sale.user.id, sale.reference))?.returns ?? [];
    expect(returns.toReversed().map(({ number, wish, pieces }) => [number, wish, pieces])).toEqual([
      [numbers[0], "money", [pieces[0]]],
      [numbers[1], "exchange", [pieces[1]]],
    ]);
  });

  test("that is sent again after a lost response is the same; one with other values is another", async () => {
    const sale = await delivered(checkout, { quantity: 4 });
    const send = (change: Partial<ReturnRequest>) =>
      askReturn(db(), sale.user.id, sale.reference, request(sale, { after: 0, ...change }));
    const piece = { productId: sale.productId, size: "M", quantity: 1 };
    const both = [
      { ...piece, newSize: "L" },
      { ...piece, newSize: null },
    ];
    const first = await send({ pieces: both });
    expect(await Promise.all([send({ pieces: both }), send({ pieces: both.toReversed() })])).toEqual([first, first]);
    const other = await send({ words: "Another word" });
    expect(other?.ok && other.numbers).toHaveLength(1);
    expect((await getOrder(db(), sale.user.id, sale.reference))?.returns).toHaveLength(3);
    const later = await send({ words: "Another word", after: 3 }); // from the page that shows all three
    expect(later?.ok && later.numbers).not.toEqual(other?.ok && other.numbers);
    expect(await send({ words: "Another word", after: 3 })).toEqual(later); // even with nothing left
    expect((await getOrder(db(), sale.user.id, sale.reference))?.returns).toHaveLength(4);
  });

  test.each<[string, (sent: ReturnRequest) => Partial<ReturnRequest>]>([
    ["has other words", () => ({ words: "Too large." })],
    ["has another reason", () => ({ reason: "unwanted" })],
    ["is of more pieces", ({ pieces }) => ({ pieces: pieces.map((piece) => ({ ...piece, quantity: 2 })) })],
    ["wants another size", ({ pieces }) => ({ pieces: pieces.map((piece) => ({ ...piece, newSize: "L" })) })],
    ["is of a form without the number of earlier returns", () => ({ after: undefined })],
  ])("that %s is another one", async (_, changed) => {
    const sale = await delivered(checkout, { quantity: 4 });
    const sent = request(sale, { after: 0 });
    const first = await askReturn(db(), sale.user.id, sale.reference, sent);
    const second = await askReturn(db(), sale.user.id, sale.reference, { ...sent, ...changed(sent) });
    expect([first?.ok, second?.ok]).toEqual([true, true]);
    expect(second).not.toEqual(first);
  });

  test("that is sent again is the same, also if another one was made meanwhile", async () => {
    const sale = await delivered(checkout, { quantity: 4 });
    const send = (quantity: number) =>
      askReturn(db(), sale.user.id, sale.reference, {
        ...request(sale, { after: 0 }),
        pieces: [{ productId: sale.productId, size: "M", quantity, newSize: null }],
      });
    const [one, two] = [await send(1), await send(2)];
    expect(two).not.toEqual(one);
    expect([await send(2), await send(1)]).toEqual([two, one]);
    expect((await getOrder(db(), sale.user.id, sale.reference))?.returns).toHaveLength(2);
  });

  test("that was withdrawn can be made again from the same form", async () => {
    const sale = await delivered(checkout);
    const send = () => askReturn(db(), sale.user.id, sale.reference, request(sale, { after: 0 }));
    const first = await send();
    const [number = ""] = first?.ok ? first.numbers : [];
    expect(await withdrawReturn(db(), sale.user.id, number)).toBe(true);
    const second = await send();
    expect(second?.ok && second.numbers).toHaveLength(1);
    expect(second).not.toEqual(first);
  });

  test("that a stranger sends again has the response of any unknown order", async () => {
    const sale = await delivered(checkout);
    const sent = request(sale, { after: 0 });
    await askReturn(db(), sale.user.id, sale.reference, sent);
    expect(await askReturn(db(), (await makeShopper(db())).id, sale.reference, sent)).toBeUndefined();
  });

  test("that the rules refuse returns its fault, and stores nothing", async () => {
    const sale = await delivered(checkout);
    const pieces = [{ productId: sale.productId, size: "M", quantity: 2, newSize: null }];
    const answer = await askReturn(db(), sale.user.id, sale.reference, request(sale, { pieces }));
    expect(answer).toMatchObject({ ok: false, fault: "too-many" });
    expect((await getOrder(db(), sale.user.id, sale.reference))?.returns).toEqual([]);
  });

  test("about an order that is no sale of this account is undefined", async () => {
    const sale = await delivered(checkout);
    const stranger = await makeShopper(db());
    expect(await askReturn(db(), stranger.id, sale.reference, request(sale))).toBeUndefined();
  });

  test.each<[string, (sale: Sale, trx: Transaction) => Promise<unknown>, object | undefined]>([
    [
      "the order has come back",
      ({ reference }, trx) => sql`update sales set returned_at = now() where reference = ${reference}`.execute(trx),
      { ok: false, why: "came-back" },
    ],
    [
      "its account was deleted",
      async ({ user }, trx) => {
        await sql`update orders set user_id = null where user_id = ${user.id}`.execute(trx);
        await sql`update sales set user_id = null where user_id = ${user.id}`.execute(trx);
      },
      undefined,
    ],
  ])("is checked again under the lock, and refused if %s by then", async (_, happens, is) => {
    const sale = await delivered(checkout);
    let answer: Promise<unknown> = Promise.resolve();
    await db()
      .transaction()
      .execute(async (rival) => {
        await lockOrder(rival, sale.reference);
        answer = askReturn(db(), sale.user.id, sale.reference, request(sale));
        await expect.poll(() => countBlocked(db())).toBe(1);
        await happens(sale, rival);
      });
    expect(await answer).toEqual(is);
  });

  test("is checked at the given time", async () => {
    const sale = await delivered(checkout);
    const answer = await askReturn(db(), sale.user.id, sale.reference, request(sale), inDays(16));
    expect(answer).toEqual({ ok: false, why: "too-late" });
  });

  test("can be withdrawn, with a mail, if it exists", async () => {
    const sale = await delivered(checkout);
    const number = await asked(db(), sale);
    expect(await withdrawReturn(db(), sale.user.id, "RT-0000-00")).toBe(false);
    expect(await withdrawReturn(db(), (await makeShopper(db())).id, number)).toBe(false);
    expect(await withdrawReturn(db(), sale.user.id, number)).toBe(true);
    expect(await withdrawReturn(db(), sale.user.id, number)).toBe(false);
    const [withdrawn] = (await getOrder(db(), sale.user.id, sale.reference))?.returns ?? [];
    expect(withdrawn).toMatchObject({ number, state: "withdrawn", decidedAt: null, endedAt: expect.any(String) });
    expect((await mailsOf(number)).map(({ data }) => data.step)).toEqual(["asked", "withdrawn"]);
  });
});

function change(reference: string, set: { returnedAt?: Date | null; fulfilledAt?: null; deliveredAt?: null }) {
  return db().updateTable("sales").set(set).where("reference", "=", reference).execute();
}
