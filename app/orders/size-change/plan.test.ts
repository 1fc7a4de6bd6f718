import { describe, expect, test } from "vitest";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { OrderLine } from "#db/types.ts";
import { planRefund, shippingKobo } from "../refund-plan.ts";
import { changeableLines, linesAfter, readChange, sizeFault } from "./plan.ts";

/** Lines written as "JERSEY M 3 @49", and read back so. */
const read = (text: string): OrderLine[] =>
  text.split(", ").map((line) => {
    const [productId = "", size = "", quantity, price = ""] = line.split(" ");
    const fixed = { title: productId, color: "Green", image: null, priceCents: Number(price.slice(1)) };
    return { productId, size, quantity: Number(quantity), ...fixed };
  });
const written = (lines: readonly OrderLine[]) =>
  lines.map((one) => `${one.productId} ${one.size} ${one.quantity} @${one.priceCents}`).join(", ");

describe("the lines that are sent", () => {
  test.each<[why: string, before: string, change: [size: string, quantity: number, newSize: string], after: string]>([
    [
      "a whole line stays in its place",
      "tee S 1 @9, jersey M 1 @49, cap ONE 1 @5",
      ["M", 1, "L"],
      "tee S 1 @9, jersey L 1 @49, cap ONE 1 @5",
    ],
    [
      "changed pieces come after the rest",
      "jersey M 3 @49, tee S 1 @9",
      ["M", 1, "L"],
      "jersey M 2 @49, jersey L 1 @49, tee S 1 @9",
    ],
    [
      "a size that is there already grows",
      "jersey M 2 @49, jersey L 1 @49",
      ["M", 1, "L"],
      "jersey M 1 @49, jersey L 2 @49",
    ],
    ["changed back, it is as it was", "jersey M 2 @49, jersey L 1 @49", ["L", 1, "M"], "jersey M 3 @49"],
    [
      "another price is another line, behind",
      "jersey L 1 @49, jersey M 1 @39",
      ["M", 1, "L"],
      "jersey L 1 @49, jersey L 1 @39",
    ],
    [
      "the last pieces of a size change",
      "jersey M 1 @49, jersey M 2 @39",
      ["M", 1, "L"],
      "jersey M 1 @49, jersey M 1 @39, jersey L 1 @39",
    ],
    [
      "over two prices, each keeps its own",
      "jersey M 1 @49, jersey M 1 @39",
      ["M", 2, "L"],
      "jersey L 1 @49, jersey L 1 @39",
    ],
  ])("%s", (_, before, [size, quantity, newSize], after) => {
    const lines = read(before);
    expect(written(linesAfter(lines, { productId: "jersey", size, quantity, newSize }))).toBe(after);
    expect(written(lines)).toBe(before);
  });
});

test("refunded pieces keep their value, and all refunds add up to the payment", () => {
  const sale = {
    lines: read("jersey L 1 @4999, jersey L 1 @3333, jersey M 2 @4999, jersey M 1 @3333"),
    ...{ subtotalCents: 21663, shippingCents: 350, rate: 1_534_567_891n as Rate, isShippingBack: false },
  };
  const kobo = Number((BigInt(22013) * sale.rate) / 1_000_000n) + 57;
  const whole = { ...sale, kobo, paidKobo: kobo };
  const pieces = [
    { productId: "jersey", size: "L", quantity: 2 },
    { ...M, quantity: 1 },
  ];
  const first = planRefund({ ...whole, backKobo: 0, backPieces: [] }, { pieces });
  if (!first.ok) throw new Error(first.problem);
  const lines = linesAfter(whole.lines, { ...M, quantity: 2, newSize: "L" });
  const left = { ...whole, lines, backKobo: first.kobo, backPieces: pieces };
  expect(planRefund(left, { pieces: [M] })).toMatchObject({ ok: false });
  const second = planRefund(left, { pieces: [{ ...M, size: "L", quantity: 2 }], withShipping: true });
  expect(second).toMatchObject({ ok: true, kobo: kobo - first.kobo });
  const goods = kobo - shippingKobo(whole);
  expect(first.kobo).toBe(Math.floor((goods * (4999 + 3333 + 4999)) / 21663));
});

const STOCK = ["S", "M", "L"].map((size) => ({ productId: "jersey", size, available: size === "S" ? 0 : 2 }));
const M = { productId: "jersey", size: "M", quantity: 1 };

test("sizes of pieces that are not being returned can change to those in stock", () => {
  const sizesOf = (back: (typeof M)[]) =>
    changeableLines(read("jersey M 2 @49, cap ONE 1 @5"), back, STOCK).map(({ size, quantity, sizes }) => [
      size,
      quantity,
      ...sizes.map((one) => one.size),
    ]);
  expect(sizesOf([])).toEqual([["M", 2, "L"]]);
  expect(sizesOf([M])).toEqual([["M", 1, "L"]]);
  expect(sizesOf([M, M])).toEqual([]);
});

test.each([
  [{ quantity: 2 }, [], 2, undefined],
  [{ quantity: 3 }, [], 9, "too-many"],
  [{ quantity: 2 }, [M], 9, "too-many"],
  [{ size: "XL" }, [], 9, "too-many"],
  [{ quantity: 2 }, [], 1, "not-there"],
  [{ newSize: "M" }, [], 9, "not-there"],
] as const)("%j with %j back and %i available: %s", (wish, back, available, fault) => {
  const change = { ...M, newSize: "L", ...wish };
  expect(sizeFault(read("jersey M 2 @49"), back, change, available)).toBe(fault);
});

test.each([
  ["jersey:M:L", undefined, { ...M, newSize: "L" }],
  ["jersey:M:L", " 2 ", { ...M, quantity: 2, newSize: "L" }],
  ["jersey:M:L", "many", { ...M, quantity: Number.POSITIVE_INFINITY, newSize: "L" }],
  ["", "1", undefined],
  ["jersey:M", "1", undefined],
  ["jer\0sey:M:L", "1", undefined],
])("%j, %j is read", (choice, quantity, change) => {
  expect(readChange(choice, quantity)).toEqual(change);
});
