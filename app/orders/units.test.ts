import { expect, test } from "vitest";
import { isSamePiece, quantityOf, readUnits } from "./units.ts";

test.each([
  ["eko-jersey:M:1", { productId: "eko-jersey", size: "M", quantity: 1 }],
  ["eko-jersey:XXL:9999", { productId: "eko-jersey", size: "XXL", quantity: 9999 }],
  ["eko-jersey:M:10000", undefined],
  ["eko-jersey:M:0", undefined],
  ["eko-jersey:M:-1", undefined],
  ["eko-jersey:M:1.5", undefined],
  ["eko-jersey:M:1a", undefined],
  ["eko-jersey:M:01", undefined],
  ["eko-jersey:M:", undefined],
  ["eko-jersey::1", undefined],
  [":M:1", undefined],
  ["a:eko-jersey:M:1", undefined],
  ["eko-jersey:M", undefined],
  ["", undefined],
])("%j names these pieces: %o", (text, units) => {
  expect(readUnits(text)).toEqual(units);
});

test.each([
  [{ productId: "home", size: "M" }, true],
  [{ productId: "home", size: "L" }, false],
  [{ productId: "away", size: "M" }, false],
])("%o is the size M of home: %s", (other, isSame) => {
  expect(isSamePiece({ productId: "home", size: "M" }, other)).toBe(isSame);
});

test("the quantity of a piece is the sum of its rows", () => {
  const units = [
    { productId: "home", size: "M", quantity: 2 },
    { productId: "home", size: "L", quantity: 4 },
    { productId: "home", size: "M", quantity: 1 },
  ];
  expect(quantityOf({ productId: "home", size: "M" }, units)).toBe(3);
  expect(quantityOf({ productId: "away", size: "M" }, units)).toBe(0);
});
