import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { renderers } from "#app/orders/emails.tsx";
import { getOrder } from "#app/orders/history.server.ts";
import { askReturn, readReturnOffer } from "#app/orders/returns/ask.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { retryFailed } from "#app/owner/orders/refunds/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { arrived, asked, OFFICE as by, type Delivered, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { showReturn } from "./list.server.ts";
import { proposeReturnRefund, type ReturnRefundWish, refundReturn } from "./refund.server.ts";
import { approveReturn, receiveReturn } from "./returns.server.ts";
import { viewReturn } from "./view.server.ts";

const checkout = useCheckout();
const { db, provider, refundsOf, catchUp, statesOf } = checkout;
/** The price of one M in kobo: 49.99 dollars at 1,600 naira. */
const ONE = 7_998_400;

const onHand = async (productId: string, size: string) => {
  const { onHand, reserved } = await db()
    .selectFrom("productSizes")
    .select(["onHand", "reserved"])
    .where("productId", "=", productId)
    .where("size", "=", size)
    .executeTakeFirstOrThrow();
  return { onHand, reserved };
};

const of = ({ productId }: Delivered, quantity: number, size = "M") => [{ productId, size, quantity }];

/** A received return of two of three bought pieces. */
async function received(wish: Parameters<typeof asked>[2] = {}) {
  const sale = await delivered(checkout, { quantity: 3, sizes: { M: 5, L: 5 } });
  const number = await asked(db(), sale, { quantity: 2, ...wish });
  await approveReturn(db(), number, { by });
  await receiveReturn(db(), number, { by });
  return { sale, number };
}

describe("of a return of two pieces, one of which came", () => {
  test("that one is refunded and in stock again, and the other can be returned again", async () => {
    const { sale, number } = await received();
    const pieces = of(sale, 1);
    expect(await proposeReturnRefund(db(), number, { pieces, restock: true })).toEqual({
      ok: true,
      kobo: ONE,
      question: `${number}: ₦79,984 goes back to the shopper, for 1 × Home Jersey, Green, M. The items are back in stock. Left out, and still sold: 1 × Home Jersey, Green, M.`,
    });
    expect(await refundReturn(db(), number, { by, pieces, agreedKobo: ONE, restock: true })).toEqual({
      ok: true,
      what: "₦79,984 goes back for 1 of 2 pieces; the shopper is emailed",
    });
    await catchUp(sale.reference);
    provider.finishRefunds("processed", sale.reference);
    await catchUp(sale.reference);
    expect(await refundsOf(sale.reference)).toMatchObject([{ kobo: String(ONE), pieces, state: "done" }]);
    expect(await onHand(sale.productId, "M")).toEqual({ onHand: 3, reserved: 0 });
    expect(await statesOf(sale.user)).toEqual(["sold"]);
    expect(await readReturnOffer(db(), sale.user.id, sale.reference)).toMatchObject({
      ok: true,
      offer: { lines: [{ size: "M", quantity: 2 }] },
    });
    const again = await asked(db(), sale, { quantity: 2 });
    await approveReturn(db(), again, { by });
    await receiveReturn(db(), again, { by });
    expect(await refundReturn(db(), again, { by })).toMatchObject({ ok: true });
    expect((await refundsOf(sale.reference)).map(({ kobo }) => Number(kobo))).toEqual([ONE, 2 * ONE]);
    expect(await checkInvariants(db())).toEqual([]);
  });

  test("the shopper's page, the mail and the office name the refunded pieces", async () => {
    const { sale, number } = await received();
    const pieces = of(sale, 1);
    await refundReturn(db(), number, { by, pieces });
    const order = await getOrder(db(), sale.user.id, sale.reference);
    expect(order?.returns).toMatchObject([{ number, state: "done", pieces: of(sale, 2), refunded: pieces }]);
    expect(await showReturn(db(), number)).toMatchObject({ pieces: of(sale, 2), refunded: pieces });
    const [row] = await db()
      .selectFrom("outbox")
      .select("data")
      .where("kind", "=", "refund-started")
      .where(sql<boolean>`data ->> 'reference' = ${sale.reference}`)
      .execute();
    const mail = await renderers["refund-started"]?.(row?.data);
    expect(mail?.text).toContain("1 × Home Jersey, Green, M");
    expect(mail?.text.replaceAll(/\s+/g, " ")).toContain(
      `Left out of your return ${number}: 1 × Home Jersey, Green, M. You may ask again within 14 days of delivery.`,
    );
    const { after } = await db()
      .selectFrom("auditLog")
      .select("after")
      .where("subjectId", "=", number)
      .where("action", "=", "returns refund")
      .executeTakeFirstOrThrow();
    expect(after).toMatchObject({ kobo: ONE, pieces, restock: false });
    const [refunded] = (await viewReturn(db(), number))?.happenings ?? [];
    expect(refunded?.text).toContain("1 × Home Jersey, Green, M");
  });

  test("an exchange can be ended in the same way, which releases the other size", async () => {
    const { sale, number } = await received({ newSize: "L" });
    expect(await onHand(sale.productId, "L")).toEqual({ onHand: 5, reserved: 2 });
    expect(await refundReturn(db(), number, { by, pieces: of(sale, 1) })).toMatchObject({ ok: true });
    expect(await onHand(sale.productId, "L")).toEqual({ onHand: 5, reserved: 0 });
    expect(await readReturnOffer(db(), sale.user.id, sale.reference)).toMatchObject({
      offer: { lines: [{ quantity: 2 }] },
    });
  });
});

test.each<[string, (sale: Delivered) => ReturnRefundWish, string]>([
  ["no pieces", () => ({ pieces: [] }), "If none arrived, decline the return"],
  ["no pieces, but a sum", () => ({ pieces: [], kobo: 100 }), "If none arrived, decline the return"],
  ["more than were asked for", (sale) => ({ pieces: of(sale, 3) }), "in M only 2 are in this return"],
  [
    "the same pieces named twice",
    (sale) => ({ pieces: [...of(sale, 1), ...of(sale, 2)] }),
    "in M only 2 are in this return",
  ],
  ["another size", (sale) => ({ pieces: of(sale, 1, "L") }), "in L isn’t in this return"],
])("a return is not refunded for %s", async (_, wishOf, problem) => {
  const { sale, number } = await received();
  const wish = wishOf(sale);
  expect(await proposeReturnRefund(db(), number, wish)).toMatchObject({
    ok: false,
    problem: expect.stringContaining(problem),
  });
  expect(await refundReturn(db(), number, { by, ...wish })).toMatchObject({ ok: false });
  expect(await refundsOf(sale.reference)).toEqual([]);
  expect(await showReturn(db(), number)).toMatchObject({ state: "received" });
});

test("a form that is sent again is the same refund; one with other pieces or another sum is refused", async () => {
  const { sale, number } = await received();
  const seen = (await viewReturn(db(), number))?.version;
  const form = { by, seen, pieces: of(sale, 1), agreedKobo: ONE };
  expect(await refundReturn(db(), number, form)).toMatchObject({ ok: true });
  expect(await refundReturn(db(), number, form)).toEqual({
    ok: true,
    what: "₦79,984 goes back for 1 of 2 pieces; the shopper is emailed",
    isRepeat: true,
  });
  for (const other of [{ pieces: of(sale, 2) }, { agreedKobo: 100, kobo: 100 }])
    expect(await refundReturn(db(), number, { ...form, ...other })).toMatchObject({ ok: false });
  expect(await refundsOf(sale.reference)).toHaveLength(1);
});

test("a return's failed refund can still be retried after another return was refunded", async () => {
  const productId = await makeProduct(db(), { M: 5, L: 5 });
  const user = await makeShopper(db(), { productId, size: "M" }, { productId, size: "L" });
  const { reference, kobo } = await checkout.open(user);
  provider.pay(reference);
  await settlePayment(reference);
  await arrived(db(), reference);
  const back = async (size: string) => {
    const pieces = [{ productId, size, quantity: 1, newSize: null }];
    const answer = await askReturn(db(), user.id, reference, { pieces, reason: "damaged", words: "A tear" });
    const [number = ""] = answer?.ok ? answer.numbers : [];
    await approveReturn(db(), number, { by });
    await receiveReturn(db(), number, { by });
    return refundReturn(db(), number, { by });
  };
  expect(await back("M")).toMatchObject({ ok: true });
  await catchUp(reference);
  provider.finishRefunds("failed", reference);
  await catchUp(reference);
  expect(await back("L")).toMatchObject({ ok: true });
  const rows = async () =>
    (await refundsOf(reference)).map(({ state, withShipping, pieces }) => [state, withShipping, pieces[0]?.size]);
  expect(await rows()).toEqual([
    ["failed", true, "M"],
    ["open", false, "L"],
  ]);
  await db()
    .transaction()
    .execute((trx) => retryFailed(trx, reference));
  await catchUp(reference);
  provider.finishPending("processed", reference);
  await catchUp(reference);
  expect((await refundsOf(reference)).reduce((sum, one) => sum + Number(one.kobo), 0)).toBe(kobo);
});
