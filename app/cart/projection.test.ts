import { describe, expect, test } from "vitest";
import { usdCents } from "#app/money/money.ts";
import type { CartLine } from "./cart.ts";
import { guestItem } from "./guest-item.ts";
import { type Change, guestView, project, putBack, replaces, withinStock } from "./projection.ts";

const line = (quantity: number, availableQuantity = 5, id = "a"): CartLine => ({
  id,
  title: id,
  color: "Red",
  size: "M",
  quantity,
  availableQuantity,
  maxQuantity: availableQuantity,
  priceCents: usdCents(1000),
  image: null,
  addedAt: `2026-01-0${id === "a" ? 1 : 2}T00:00:00.000Z`,
  changes: [],
});
const change = (intent: Change["intent"], quantity = 0, rest: Partial<Change> = {}): Change => ({
  intent,
  id: "a",
  size: "M",
  color: "Red",
  quantity,
  ...rest,
});
const item = (quantity: number, id = "a") =>
  guestItem(line(quantity, 5, id), "M", quantity, "", line(1, 5, id).addedAt);
const shape = (lines: { id: string; quantity: number }[]) =>
  lines.map(({ id, quantity }) => `${id}${quantity}`).join(" ");

describe("a cart with changes on their way", () => {
  test.each<[string, Change[], string]>([
    ["nothing", [], "a1 b1"],
    ["the last of several", [change("set", 2), change("set", 3)], "a3 b1"],
    ["no more than there is", [change("set", 9)], "a5 b1"],
    ["an addition", [change("add", 2)], "a3 b1"],
    ["nothing of another colour's", [change("set", 2, { color: "Blue" })], "a1 b1"],
    ["a removal", [change("remove")], "b1"],
    ["a removal that is undone", [change("remove"), change("add", 1, { line: line(1) })], "b1 a1"],
    ["a change of what is not there", [change("set", 2, { id: "c" })], "a1 b1"],
  ])("shows %s", (_, changes, shown) => {
    expect(shape(project({ version: 1, lines: [line(1), line(1, 5, "b")] }, changes).lines)).toBe(shown);
  });

  test.each<[string, Change, Change, boolean]>([
    ["another quantity", change("set", 3), change("set", 2), true],
    ["a removal", change("remove"), change("set", 2), true],
    ["an addition", change("add", 1), change("set", 2), false],
    ["a quantity after an addition", change("set", 3), change("add", 1), false],
    ["another line's quantity", change("set", 3, { size: "L" }), change("set", 2), false],
  ])("whether %s replaces an earlier unsent change", (_, later, earlier, expected) => {
    expect(replaces(later, earlier)).toBe(expected);
  });
});

describe("a guest's cart", () => {
  const said = { version: 0, lines: [line(1, 3), line(1, 0, "b")] };

  test.each([
    ["quantities of local storage", [item(2), item(1, "b")], "a2 b1"],
    ["at most the stock; what is sold out keeps its number", [item(7), item(4, "b")], "a3 b4"],
    ["only lines of local storage", [item(2)], "a2"],
    ["nothing that has no price yet", [item(2), item(1, "c")], "a2"],
  ])("shows %s", (_, items, shown) => {
    expect(shape(guestView(said, items).lines)).toBe(shown);
  });

  test("is capped in local storage, and keeps lines that the server has not sent", () => {
    expect(shape(withinStock([item(7), item(4, "b"), item(9, "c")], said))).toBe("a3 b4 c9");
  });

  test.each([
    ["at its old place", [item(1, "b")], "a2 b1"],
    ["onto what was added meanwhile, at most the stock", [item(4), item(1, "b")], "a5 b1"],
  ])("takes a line back %s", (_, items, back) => {
    expect(shape(putBack(items, line(2), ""))).toBe(back);
  });
});
