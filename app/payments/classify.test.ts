import { expect, test } from "vitest";
import type { ProviderTransaction } from "#app/payment-provider/contract.ts";
import { classify } from "./classify.ts";

const order = { kobo: 500_000, live: false };
const paid: ProviderTransaction = {
  id: "1",
  reference: "r",
  state: "paid",
  status: "success",
  mode: "test",
  currency: "NGN",
  amount: 500_000,
  requestedAmount: 500_000,
  paidAt: null,
};

test.each<[string, Partial<ProviderTransaction>, unknown]>([
  ["the right sum", {}, { kind: "paid" }],
  ["the right sum, without saying what was asked for", { requestedAmount: null }, { kind: "paid" }],
  ["F35 fees on top", { amount: 510_000 }, { kind: "paid" }],
  [
    "more, without saying what was asked for",
    { amount: 510_000, requestedAmount: null },
    { kind: "mismatch", reason: "wrong-amount" },
  ],
  ["F34 a kobo less", { amount: 499_999 }, { kind: "mismatch", reason: "wrong-amount" }],
  ["F34 a kobo less was asked for", { requestedAmount: 499_999 }, { kind: "mismatch", reason: "wrong-amount" }],
  ["F36 as many cents", { currency: "USD" }, { kind: "mismatch", reason: "wrong-currency" }],
  ["F36 the currency in small letters", { currency: "ngn" }, { kind: "mismatch", reason: "wrong-currency" }],
  ["F36 the other mode", { mode: "live" }, { kind: "mismatch", reason: "wrong-mode" }],
  ["not paid", { state: "unpaid" }, { kind: "unpaid" }],
  ["a transfer under way", { state: "pending" }, { kind: "pending" }],
  ["given back", { state: "reversed" }, { kind: "reversed" }],
])("%s", (_, change, expected) => {
  expect(classify({ ...paid, ...change }, order)).toEqual(expected);
});

test.each([
  ["live", { kind: "paid" }],
  ["test", { kind: "mismatch", reason: "wrong-mode" }],
] as const)("F36 in a shop that takes real money, money of the mode %s", (mode, expected) => {
  expect(classify({ ...paid, mode }, { ...order, live: true })).toEqual(expected);
});
