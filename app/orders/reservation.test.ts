import { describe, expect, test } from "vitest";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import type { OrderLine } from "#db/types.ts";
import { mayHoldStock } from "./quote.server.ts";
import {
  availabilityOf,
  inStock,
  isStockTaken,
  namedShortages,
  shortages,
  unitsOf,
  withUnits,
} from "./reservation.server.ts";
import { orderSums, subtotalOf } from "./sums.ts";

const line = (quantity: number, size = "M", color = "Green"): OrderLine => ({
  productId: "jersey",
  title: `${color} Jersey`,
  color,
  size,
  quantity,
  priceCents: 4999,
  image: null,
});
const units = (quantity: number, size = "M", productId = "jersey") => ({ productId, size, quantity });
const there = availabilityOf([
  { productId: "jersey", size: "M", available: 3 },
  { productId: "jersey", size: "L", available: 1 },
]);

test("several lines of a size are summed up", () => {
  expect(unitsOf([line(1), line(2, "L"), line(4, "M", "Red")])).toEqual([units(5), units(2, "L")]);
});

describe("the availability", () => {
  test.each([
    [units(1), 3],
    [units(1, "L"), 1],
    [units(1, "XL"), 0],
    [units(1, "M", "cap"), 0],
  ])("of %o: %i", (unit, available) => {
    expect(there(unit)).toBe(available);
  });

  test("is higher by released units", () => {
    const more = withUnits(there, [units(2), units(4, "XL")]);
    expect([units(1), units(1, "L"), units(1, "XL")].map(more)).toEqual([5, 1, 4]);
  });

  test("falls short only if more is wanted", () => {
    expect(shortages([units(3), units(2, "L")], there)).toEqual([{ ...units(2, "L"), available: 1 }]);
  });

  test("falls short of a named piece, counted over all its lines", () => {
    const cap = { ...line(1), productId: "cap", title: "Cap" };
    expect(namedShortages([line(3), line(1, "M", "Red"), cap], there)).toEqual([
      { ...units(4), available: 3, title: "Green Jersey" },
      { ...units(1, "M", "cap"), available: 0, title: "Cap" },
    ]);
  });

  test("is given to the first lines, and lines without any are left out", () => {
    expect(inStock([line(2), line(9, "XL"), line(2, "M", "Red"), line(1, "M", "Blue"), line(1, "L")], there)).toEqual([
      line(2),
      line(1, "M", "Red"),
      line(1, "L"),
    ]);
  });
});

test.each([
  [Object.assign(new Error("refused"), { code: "IR001" }), true],
  [Object.assign(new Error("deadlock"), { code: "40P01" }), false],
  [new Error("refused"), false],
  ["IR001", false],
  [null, false],
  [undefined, false],
])("%o means that the stock was taken: %s", (error, is) => {
  expect(isStockTaken(error)).toBe(is);
});

test("an order's charge is its pieces and the delivery, rounded up to a naira", () => {
  expect(subtotalOf([line(2), { priceCents: 1, quantity: 3 }])).toBe(10_001);
  expect(orderSums([line(2)], usdCents(350), FALLBACK_RATE)).toEqual({
    subtotalCents: 9998,
    shippingCents: 350,
    totalCents: 10_348,
    kobo: 16_556_800,
  });
});

test.each([
  [[50], 0, true],
  [[25, 25], 2, true],
  [[26, 25], 0, false],
  [[1], 3, false],
])("an order of %j pieces after %i that lapsed holds stock: %s", (pieces, lapsed, holds) => {
  expect(
    mayHoldStock(
      pieces.map((quantity) => line(quantity)),
      lapsed,
    ),
  ).toBe(holds);
});
