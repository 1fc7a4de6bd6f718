import { describe, expect, test } from "vitest";
import type { Cart, CartLine } from "#app/cart/cart.ts";
import { usdCents } from "#app/money/money.ts";
import type { OrderLine } from "#db/types.ts";
import { cartAfter, differencesOf, linesOfSizes, type Outcomes, readCartAfter } from "./changes.ts";

const tee: OrderLine = {
  ...{ productId: "tee", title: "Tee", color: "Green", size: "M" },
  ...{ quantity: 2, priceCents: 2000, image: null },
};
const cap: OrderLine = { ...tee, productId: "cap", title: "Cap", size: "ONE", quantity: 1 };

const inCart = (line: OrderLine, change: Partial<CartLine> = {}): CartLine => ({
  ...{ id: line.productId, title: line.title, color: line.color, size: line.size, quantity: line.quantity },
  ...{ priceCents: usdCents(2000), image: null, addedAt: "", availableQuantity: 9, maxQuantity: 9, changes: [] },
  ...change,
});
const cartOf = (...lines: CartLine[]): Cart => ({ version: 1, lines });

const NONE: Outcomes = new Map();
const TEE = "Tee, Green, M";

test.each<[string, Partial<CartLine>, Outcomes, object[]]>([
  ["the same", {}, NONE, []],
  ["cheaper", { priceCents: usdCents(1500) }, NONE, []],
  ["more of it", { quantity: 5 }, NONE, []],
  ["dearer", { priceCents: usdCents(2500) }, NONE, [{ place: 0, piece: TEE, dearer: { now: 2500, paid: 2000 } }]],
  [
    "no more of the size",
    { quantity: 1, availableQuantity: 1, maxQuantity: 1 },
    NONE,
    [{ place: 0, piece: TEE, text: "Only 1 left." }],
  ],
  [
    "no more, though the cart had some",
    { quantity: 3, availableQuantity: 3, maxQuantity: 3 },
    new Map([[0, "less"]]),
    [{ place: 0, piece: TEE, text: "Only 3 left." }],
  ],
  [
    "the owner's limit",
    { quantity: 1, maxQuantity: 1 },
    NONE,
    [{ place: 0, piece: TEE, text: "You can buy up to 1 of one size in an order." }],
  ],
  ["one less since, by hand", { quantity: 1 }, NONE, []],
  ["sold out since", { availableQuantity: 0, maxQuantity: 0 }, NONE, [{ place: 0, piece: TEE, text: "Sold out." }]],
])("in the cart: %s", (_, change, outcomes, differences) => {
  expect(differencesOf([tee], outcomes, cartOf(inCart(tee, change)))).toEqual(differences);
});

describe("a line that is not in the cart", () => {
  test.each([
    ["gone", "We no longer sell this."],
    ["out", "Sold out."],
    ["full", "Your cart is full, so we left this out."],
  ] as const)("is said to be %s", (outcome, text) => {
    const outcomes: Outcomes = new Map([[1, outcome]]);
    expect(differencesOf([tee, cap], outcomes, cartOf(inCart(tee)))).toEqual([{ place: 1, piece: "Cap, Green", text }]);
  });

  test("for an unknown reason: the notice does not say that all is there", () => {
    expect(differencesOf([tee, cap], NONE, cartOf(inCart(tee)))).toBeUndefined();
    expect(differencesOf([tee, cap], new Map([[0, "out"]]), cartOf())).toEqual([
      { place: 0, piece: TEE, text: "Sold out." },
    ]);
  });
});

test("lines of one size are one, at the highest price that was paid", () => {
  const dearer = { ...tee, color: "Palm Green", quantity: 1, priceCents: 2100 };
  expect(linesOfSizes([tee, cap, dearer])).toEqual([{ ...tee, quantity: 3, priceCents: 2100 }, cap]);
});

test("the cart's URL holds what the notice is about", () => {
  const outcomes: Outcomes = new Map([
    [0, "gone"],
    [7, "less"],
    [12, "gone"],
  ]);
  const url = cartAfter("r=1", outcomes);
  expect(url).toBe("/Cart?again=r%3D1&gone=0-12&less=7");
  const read = readCartAfter(new URL(url, "http://localhost").searchParams);
  expect(read?.reference).toBe("r=1");
  expect([...(read?.outcomes ?? [])].toSorted()).toEqual([...outcomes].toSorted());
});

test.each(["", "gone=1", "again="])("a query without an order asks for no notice: “%s”", (query) => {
  expect(readCartAfter(new URLSearchParams(query))).toBeUndefined();
});

test("an invalid URL causes no error", () => {
  const read = readCartAfter(new URLSearchParams("again=r&gone=x-1e9&less=-&out="));
  expect(differencesOf([tee], read?.outcomes ?? NONE, cartOf(inCart(tee)))).not.toBeUndefined();
});
