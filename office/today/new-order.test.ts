import { expect, test } from "vitest";
import { hasNewOrder } from "./new-order.ts";

/** Orders that were placed at these minutes. */
const at = (...minutes: number[]) =>
  minutes.map((minute) => ({ id: `${minute}`, orderedAt: new Date(minute * 60_000) }));

test.each([
  ["the first order", at(), at(7), true],
  ["another one", at(7), at(8, 7), true],
  ["one more than the list has", at(8, 7, 6), at(9, 8, 7), true],
  ["one that is paid later than one placed after it", at(9, 7, 5), at(9, 8, 7), true],
  ["the same ones", at(8, 7), at(8, 7), false],
  ["one less", at(8, 7), at(8), false],
  ["an older one that moves up", at(8, 7, 6), at(8, 6, 5), false],
  ["none at all", at(8), at(), false],
])("%s", (_, before, now, isNew) => {
  expect(hasNewOrder(before, now, 3)).toBe(isNew);
});
