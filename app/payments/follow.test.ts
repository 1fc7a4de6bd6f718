import { expect, test, vi } from "vitest";
import { SECOND } from "#app/infra/durations.ts";
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
  ["a popup closed while a transfer is on its way", true, ["pending"], "pending", 3],
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
  expect(await followPayment("ref", { closed, isWanted: () => true, ask, wait: async () => undefined })).toBe(outcome);
  expect(asked).toBe(times);
});

test("the server is not asked any more once another payment has begun", async () => {
  let asked = 0;
  const ask = async () => {
    asked++;
    return "unavailable" as const;
  };
  await followPayment("ref", { closed: true, isWanted: () => asked < 2, ask, wait: async () => undefined });
  expect(asked).toBe(2);
});

/**
 * Follows a payment; each answer of the server takes `takes` ms. Returns the seconds until the shopper is told that the
 * sale is not recorded, if that happens.
 */
async function toldAfter(answer: PaymentOutcome, { takes = 0, closed = false } = {}): Promise<number | undefined> {
  vi.useFakeTimers();
  let told: number | undefined;
  const began = Date.now();
  const ask = () => new Promise<PaymentOutcome>((resolve) => setTimeout(() => resolve(answer), takes));
  const onUnrecorded = () => {
    told = (Date.now() - began) / SECOND;
  };
  const followed = followPayment("ref", { closed, isWanted: () => true, onUnrecorded, ask });
  await vi.advanceTimersByTimeAsync(1200 * SECOND);
  expect(await followed).toBe(answer);
  vi.useRealTimers();
  return told;
}

test("'Payment successful but error recording sale.' comes within 15 s where recording fails after payment", async () => {
  expect(await toldAfter("unavailable")).toBeLessThan(15);
  expect(await toldAfter("unpaid")).toBeLessThan(15);
  expect(await toldAfter("unavailable", { takes: 60 * SECOND })).toBeLessThan(15);
});

test("that message does not appear for a sale, a refund, a pending transfer or an unpaid payment", async () => {
  for (const answer of ["sold", "refunding", "pending"] as const) expect(await toldAfter(answer)).toBeUndefined();
  expect(await toldAfter("unavailable", { closed: true })).toBeUndefined();
});
