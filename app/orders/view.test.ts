import { describe, expect, test } from "vitest";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import type { OrderLine } from "#db/types.ts";
import type { OrderState } from "./state.ts";
import { type OrderView, partTexts, rateOfOrder, refundedKobo, statusOf, sumsOfOrder } from "./view.ts";

test.each<[OrderState, string | null | undefined, string]>([
  ["open", undefined, "Processing"],
  ["waiting", undefined, "Awaiting payment"],
  ["released", undefined, "Not paid"],
  ["sold", undefined, "completed"],
  ["sold", null, "completed"],
  ["sold", "In customs", "In customs"],
  ["refunding", "In customs", "Refund on its way"],
  ["refunded", undefined, "Refunded"],
])("an order that is %s, and was called %s by another shop, is shown as '%s'", (state, imported, shown) => {
  expect(statusOf(state, imported)).toBe(shown);
});

test("refunded and pending sums are counted separately", () => {
  const refund = (kobo: number, isDone: boolean) => ({ kobo, isDone, pieces: [], withShipping: false, at: "" });
  const refunds = [refund(100, true), refund(30, false), refund(20, true)];
  expect([refundedKobo(refunds, { isDone: true }), refundedKobo(refunds, { isDone: false })]).toEqual([120, 30]);
  expect(refundedKobo([], { isDone: true })).toBe(0);
});

describe("the text about a part refund", () => {
  const line = { productId: "jersey", title: "Home Jersey", color: "Green", size: "M", quantity: 2 } as OrderLine;
  const lines = [
    { ...line, productId: "cap", title: "Cap", color: "Black" },
    { ...line, size: "L", color: "Red" },
    line,
  ];
  const piece = (productId: string, size: string) => ({ productId, size, quantity: 2 });
  test.each([
    ["a piece, by its product and size", [piece("jersey", "M")], false, ["2 × Home Jersey, Green, M"]],
    [
      "pieces and the way",
      [piece("jersey", "L"), piece("cap", "M")],
      true,
      ["2 × Home Jersey, Red, L", "2 × Cap, Black, M", "Delivery"],
    ],
    ["the delivery alone", [], true, ["Delivery"]],
    ["a piece that the order does not name", [piece("scarf", "M")], false, ["2 × scarf, M"]],
    ["a size that the order does not name", [piece("cap", "L")], false, ["2 × cap, L"]],
  ])("is %s", (_, pieces, withShipping, texts) => {
    expect(partTexts(lines, { pieces, withShipping })).toEqual(texts);
  });
});

test("an order keeps its own rate and sums, and has the fallback rate if its own is invalid", () => {
  const sums = { subtotalCents: 4999, shippingCents: 350, totalCents: 5349, kobo: 8_558_400 };
  const order = { ...sums, rate: "1534.250000", email: "ada@example.com" } as OrderView;
  expect(sumsOfOrder(order)).toEqual(sums);
  expect(rateOfOrder(order)).toBe(1_534_250_000n);
  expect(rateOfOrder({ ...order, rate: "none" })).toBe(FALLBACK_RATE);
});
