import { describe, expect, test } from "vitest";
import type { Product } from "#app/catalog/product.ts";
import { eachFlag } from "#app/catalog/product-fields.ts";
import { usdCents } from "#app/money/money.ts";
import { isAnswer } from "./answer.ts";
import { afterWrite, buyable, type CartLine, countUnits, describeLine, subtotal } from "./cart.ts";
import { isChange } from "./projection.ts";

const picture = { hash: "a1", width: 4, height: 5, alt: "A jersey", background: "#fff" };
const jersey: Product = {
  id: "jersey",
  title: "Home Jersey",
  color: "Green",
  description: "",
  priceCents: usdCents(4999),
  kinds: ["jerseys"],
  ...eachFlag(() => false),
  details: {},
  images: [picture],
  sizes: [{ size: "M", available: 3 }],
};
const soldOut = { ...jersey, sizes: [{ size: "M", available: 0 }] };
const stored = { productId: "jersey", size: "M", color: "Green", quantity: 2, priceCents: 4999, addedAt: "2026-01-01" };
const has = (availableQuantity: number, quantity: number, ...changes: string[]) => ({
  availableQuantity,
  maxQuantity: availableQuantity,
  quantity,
  changes,
});

describe("a stored line is shown as it is today", () => {
  test("with the product's title, price and first picture", () => {
    expect(describeLine(stored, jersey, 0, 999)).toEqual({
      id: "jersey",
      title: "Home Jersey",
      color: "Green",
      size: "M",
      priceCents: 4999,
      image: picture,
      addedAt: "2026-01-01",
      ...has(3, 2),
    });
  });

  test("of a product that is gone with what was stored", () => {
    expect(describeLine(stored, undefined, 0, 999)).toMatchObject({
      title: "jersey",
      priceCents: 4999,
      image: null,
      ...has(0, 2, "No longer sold: not in your total."),
    });
  });

  test.each<[string, Partial<typeof stored>, Product, number, number, object]>([
    ["a hidden product", {}, { ...jersey, hidden: true }, 0, 999, has(0, 2, "No longer sold: not in your total.")],
    [
      "a hidden product with another price, of which nothing is said",
      { priceCents: 1 },
      { ...jersey, hidden: true },
      0,
      999,
      has(0, 2, "No longer sold: not in your total."),
    ],
    ["a sold-out size, which keeps its number", {}, soldOut, 0, 999, has(0, 2, "Sold out: not in your total.")],
    ["a sold-out size that the shopper's own order holds", {}, soldOut, 2, 999, has(2, 2)],
    ["no more than there is, with what is held", { quantity: 9 }, jersey, 2, 999, has(5, 5, "Only 5 left.")],
    ["as many as there are", { quantity: 3 }, jersey, 0, 999, has(3, 3)],
    [
      "no more than the owner allows",
      {},
      jersey,
      0,
      1,
      {
        ...has(3, 1, "You can buy up to 1 of one size in an order."),
        maxQuantity: 1,
      },
    ],
    ["as many as the owner allows", {}, jersey, 0, 2, { ...has(3, 2), maxQuantity: 2 }],
    ["a new price", { priceCents: 100 }, jersey, 0, 999, { ...has(3, 2), newPriceCents: 4999 }],
    ["a product without a picture", {}, { ...jersey, images: [] }, 0, 999, { image: null }],
  ])("%s", (_, line, product, held, most, shown) => {
    const unchanged = { newPriceCents: undefined };
    const described = describeLine({ ...stored, ...line }, product, held, most);
    expect({ ...unchanged, ...described }).toMatchObject({ ...unchanged, ...shown });
  });
});

test("what is sold out costs nothing, and cannot be bought; the number counts it all the same", () => {
  const lines = [describeLine(stored, jersey, 0, 999), describeLine(stored, soldOut, 0, 999)];
  expect(subtotal({ version: 1, lines })).toBe(9998);
  expect(buyable({ version: 1, lines })).toEqual(lines.slice(0, 1));
  expect(countUnits(lines)).toBe(4);
});

describe("after a write", () => {
  const line = describeLine(stored, jersey, 0, 999);
  const others: CartLine[] = [
    { ...line, size: "L" },
    { ...line, id: "cap" },
    { ...line, color: "Red" },
  ];
  const written = {
    id: "jersey",
    size: "M",
    color: "Green",
    version: 2,
    count: 9,
    priceCents: usdCents(5999),
    available: 9,
    maxQuantity: 8,
    isCapped: false,
  };

  test("that very line has changed", () => {
    const changed = { quantity: 1, priceCents: 5999, availableQuantity: 9, maxQuantity: 8, changes: [] };
    const shown = { ...line, newPriceCents: usdCents(4999) };
    expect(afterWrite({ version: 1, lines: [shown, ...others] }, { ...written, quantity: 1 })).toEqual({
      version: 2,
      lines: [{ ...line, ...changed }, ...others],
    });
  });

  test("a removed size is gone in any colour, and no other line is", () => {
    expect(afterWrite({ version: 1, lines: [line, ...others] }, { ...written, quantity: 0 })).toEqual({
      version: 2,
      lines: others.slice(0, 2),
    });
  });

  test.each(others)("a line that is not there is not known: only $id $size $color", (other) => {
    expect(afterWrite({ version: 1, lines: [other] }, { ...written, quantity: 1 })).toBeUndefined();
  });
});

describe("what the server answers is read as such", () => {
  const merged = { added: [], adjusted: false, skipped: [], guestLines: [] };
  test.each([
    [{}, true],
    [{ merged: { ok: true, ...merged } }, true],
    [{ merged: { ok: false } }, true],
    [{ merged: { ok: true } }, false],
    [{ merged: { ok: "yes", ...merged } }, false],
    [{ merged: {} }, false],
    [{ merged: { ok: false, ...merged } }, true],
  ])("%j: %s", (answer, is) => {
    expect(isAnswer(answer)).toBe(is);
  });

  test.each([
    ["add", true],
    ["set", true],
    ["remove", true],
    ["size", true],
    ["empty", false],
    [undefined, false],
  ])("a change kept in the browser with the intent %s: %s", (intent, is) => {
    expect(isChange({ intent, id: "jersey", size: "M", color: "Green", quantity: 1 })).toBe(is);
  });
});
