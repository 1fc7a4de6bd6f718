import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SEED } from "#tests/support/seed.ts";
import { type Line, mergeCarts } from "./merge.ts";

const line = (quantity: number, change: Partial<Line> = {}): Line => ({
  productId: "jersey",
  size: "M",
  color: "Green",
  quantity,
  ...change,
});

describe("merge rule", () => {
  test.each<[string, Line[], Line[], number, Line[], boolean, number]>([
    ["a new line is added", [], [line(2)], 5, [line(2)], false, 0],
    ["a new line is capped at stock", [], [line(9)], 5, [line(5)], true, 0],
    ["the same line adds up", [line(1)], [line(2)], 5, [line(3)], false, 0],
    ["the same line is capped at stock", [line(4)], [line(3)], 5, [line(5)], false, 0],
    ["a sum below the guest's own quantity is told", [line(1)], [line(7)], 5, [line(5)], true, 0],
    ["another size is another line", [line(1, { size: "S" })], [line(1)], 5, [line(1)], false, 0],
    ["another product is another line", [line(1, { productId: "cap" })], [line(1)], 5, [line(1)], false, 0],
    ["another colour is another line", [line(1, { color: "Red" })], [line(1)], 5, [line(1)], false, 0],
    ["a line without stock is skipped", [], [line(1)], 0, [], false, 1],
    ["the account's line stays when the guest's has no stock", [line(2)], [line(1)], 0, [], false, 1],
    ["two equal guest lines are one", [], [line(2), line(2)], 3, [line(3)], false, 0],
    ["an empty guest cart changes nothing", [line(2)], [], 5, [], false, 0],
  ])("%s", (_, account, guest, stock, writes, adjusted, skipped) => {
    const plan = mergeCarts(account, guest, () => stock);
    expect(plan).toMatchObject({ writes, adjusted });
    expect(plan.skipped).toHaveLength(skipped);
  });

  test.each([
    ["above the guest's own quantity", [line(4)], [line(3)], [line(5)]],
    ["below it", [], [line(9)], [line(5)]],
    ["of two equal guest lines", [], [line(3), line(3)], [line(5)]],
    ["nowhere", [line(2)], [line(3)], []],
  ])("39 names the line that the stock has capped, %s", (_, account, guest, capped) => {
    expect(mergeCarts(account, guest, () => 5).capped).toEqual(capped);
  });

  test("no merged line is ever above stock or below one", () => {
    const lines = fc.array(
      fc.record({
        productId: fc.constantFrom("a", "b"),
        size: fc.constantFrom("S", "M"),
        color: fc.constant("x"),
        quantity: fc.integer({ min: 1, max: 20 }),
      }),
    );
    fc.assert(
      fc.property(lines, lines, fc.integer({ min: 0, max: 15 }), (account, guest, stock) => {
        for (const { quantity } of mergeCarts(account, guest, () => stock).writes) {
          expect(quantity).toBeGreaterThanOrEqual(1);
          expect(quantity).toBeLessThanOrEqual(stock);
        }
      }),
      { seed: SEED },
    );
  });
});
