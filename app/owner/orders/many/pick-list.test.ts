import { describe, expect, test } from "vitest";
import { pickList, type ToPick } from "./pick-list.ts";

const NAMES: Record<string, [title: string, color: string]> = {
  jersey: ["Jersey", "Palm Green"],
  other: ["Jersey", "Palm Green"], // another product with the same name
  cap: ["Cap", "Ink"],
};

/** An order of pieces such as "2 jersey M". */
function order(number: string, pieces: string[], more: Partial<ToPick> = {}): ToPick {
  const lines = pieces.map((piece) => {
    const [quantity, productId = "", size = ""] = piece.split(" ");
    const [title = "", color = ""] = NAMES[productId] ?? [];
    return { productId, title, color, size, quantity: Number(quantity), image: null };
  });
  return { number, lines, stage: "paid", ...more };
}

const CASES: [name: string, orders: ToPick[], rows: string[]][] = [
  ["no order", [], []],
  [
    "a size of two orders once, with both numbers",
    [order("A", ["1 jersey M"]), order("B", ["2 jersey M"])],
    ["3 jersey M: A 1, B 2"],
  ],
  [
    "sizes from small to large, products by name",
    [order("A", ["1 jersey XXL", "1 jersey S", "1 cap ONE", "1 jersey M"])],
    ["1 cap ONE: A 1", "1 jersey S: A 1", "1 jersey M: A 1", "1 jersey XXL: A 1"],
  ],
  [
    "two lines of one size in an order together",
    [order("A", ["1 jersey M", "2 jersey M"]), order("B", ["1 jersey M"])],
    ["4 jersey M: A 3, B 1"],
  ],
  [
    "products of the same name apart",
    [order("A", ["1 other M", "1 jersey S", "1 jersey M"])],
    ["1 jersey S: A 1", "1 jersey M: A 1", "1 other M: A 1"],
  ],
];

describe("a pick list has", () => {
  test.each(CASES)("%s", (_, orders, rows) => {
    const { picked, orders: numbers, stay } = pickList(orders);
    const forOrders = (piece: (typeof picked)[number]) =>
      piece.orders.map(({ number, units }) => `${number} ${units}`).join(", ");
    expect(picked.map((one) => `${one.units} ${one.productId} ${one.size}: ${forOrders(one)}`)).toEqual(rows);
    expect(numbers).toEqual(orders.map(({ number }) => number));
    expect(stay).toEqual([]);
  });

  test.each([
    ["may not leave", { stage: undefined, whyNot: "Isn’t paid yet" }, "Isn’t paid yet"],
    ["is packed", { stage: "packed" }, "Already packed"],
    ["was sent", { stage: "sent" }, "Already sent"],
    ["waits at its pick-up centre", { stage: "ready" }, "Already waiting at its pick-up centre"],
  ] as const)("no piece of an order that %s, and says so", (_, more, whyNot) => {
    const { picked, orders, stay } = pickList([order("A", ["1 cap ONE"], more), order("B", ["1 cap ONE"])]);
    expect(picked).toMatchObject([{ units: 1, orders: [{ number: "B", units: 1 }] }]);
    expect([orders, stay]).toEqual([["B"], [{ number: "A", whyNot }]]);
  });
});
