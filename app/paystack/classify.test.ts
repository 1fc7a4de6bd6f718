import { expect, test } from "vitest";
import { classify, type ProviderTransaction } from "./classify.ts";

const order = { kobo: 500_000, live: false };
const paid: ProviderTransaction = {
  id: "1",
  reference: "r",
  status: "success",
  domain: "test",
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
  ["F36 the other mode", { domain: "live" }, { kind: "mismatch", reason: "wrong-mode" }],
  ["not finished", { status: "abandoned" }, { kind: "unpaid" }],
  ["declined", { status: "failed" }, { kind: "unpaid" }],
  ["a transfer under way", { status: "pending" }, { kind: "pending" }],
  ["a code awaited", { status: "ongoing" }, { kind: "pending" }],
  ["given back", { status: "reversed" }, { kind: "reversed" }],
  ["a status nobody has heard of", { status: "Success" }, { kind: "pending" }],
])("%s", (_, change, verdict) => {
  expect(classify({ ...paid, ...change }, order)).toEqual(verdict);
});
