import { expect, test } from "vitest";
import { MEANS } from "./means.ts";
import { sumToTake } from "./rounding.ts";

test.each([
  [8_558_400, 8_555_000],
  [8_555_000, 8_555_000],
  [8_559_999, 8_555_000],
  [5_000, 5_000],
  [4_900, 4_900],
])("%i kobo in cash are %i", (kobo, taken) => {
  expect(sumToTake(kobo, "cash", "down")).toBe(taken);
});

test.each(MEANS)("nothing is rounded by %s if the owner has switched it off, and cash alone if not", (means) => {
  expect(sumToTake(8_558_400, means, "none")).toBe(8_558_400);
  expect(sumToTake(8_558_400, means, "down")).toBe(means === "cash" ? 8_555_000 : 8_558_400);
});
