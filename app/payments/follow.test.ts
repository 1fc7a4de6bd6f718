import { expect, test } from "vitest";
import { followPayment, type PaymentOutcome } from "./follow.browser.ts";

const cases: [string, boolean, PaymentOutcome[], PaymentOutcome, number][] = [
  ["a success that the server has already recorded", false, ["sold"], "sold", 1],
  ["a success that the provider confirms late", false, ["unpaid", "pending", "sold"], "sold", 3],
  [
    "a success while the server cannot be reached for a while",
    false,
    ["unavailable", "unavailable", "sold"],
    "sold",
    3,
  ],
  ["a success without any answer", false, ["unavailable"], "unavailable", 9],
  ["a popup closed without paying", true, ["unpaid"], "unpaid", 1],
  ["a popup closed after paying", true, ["sold"], "sold", 1],
  ["a popup closed while a transfer is on its way", true, ["pending"], "pending", 9],
  ["money that goes back", false, ["refunding"], "refunding", 1],
  [
    "a payment that is not this shopper's, as when another one has signed in",
    true,
    ["unknown-reference"],
    "unknown-reference",
    1,
  ],
];

test.each(cases)("%s", async (_, closed, answers, outcome, times) => {
  let asked = 0;
  const ask = async () => answers[Math.min(asked++, answers.length - 1)] ?? "unavailable";
  expect(
    await followPayment(
      "ref",
      closed,
      () => true,
      ask,
      async () => undefined,
    ),
  ).toBe(outcome);
  expect(asked).toBe(times);
});

test("nothing is asked any more once another payment has begun", async () => {
  let asked = 0;
  const ask = async () => {
    asked++;
    return "unavailable" as const;
  };
  await followPayment(
    "ref",
    true,
    () => asked < 2,
    ask,
    async () => undefined,
  );
  expect(asked).toBe(2);
});
