import { describe, expect, test } from "vitest";
import { usdCents } from "#app/money/money.ts";
import type { CartLine } from "./cart.ts";
import { guestItem } from "./guest-item.ts";
import { type Change, guestView, needs, project, putBack, repeatable, replaces, withinStock } from "./projection.ts";

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
const sized = (size: string, quantity: number): CartLine => ({
  ...line(quantity),
  size,
  sizes: ["M", "L", "S"].map((one) => ({ size: one, availableQuantity: 5, maxQuantity: 5 })),
});
const toL = change("size", 0, { to: "L" });
const bySize = (lines: { size: string; quantity: number }[]) =>
  lines.map(({ size, quantity }) => `${size}${quantity}`).join(" ");
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

  test.each<[string, CartLine[], Change[], string]>([
    ["the units on a line of the other size", [sized("M", 2), sized("S", 1)], [toL], "L2 S1"],
    ["the units on the line of that size", [sized("M", 2), sized("L", 1)], [toL], "L3"],
    ["no more units than there are", [sized("M", 3), sized("L", 3)], [toL], "L5"],
    ["a later quantity of the other size", [sized("M", 2)], [toL, change("set", 3, { size: "L" })], "L3"],
    ["a removal of the other size", [sized("M", 2)], [toL, change("remove", 0, { size: "L" })], ""],
    ["a change of a restored line", [], [change("add", 2, { line: sized("M", 2) }), toL], "L2"],
    ["nothing of a size that is not there", [sized("M", 2)], [change("size", 0, { to: "XL" })], "M2"],
  ])("shows another size: %s", (_, lines, changes, shown) => {
    expect(bySize(project({ version: 1, lines }, changes).lines)).toBe(shown);
  });

  test("keep only additions of a product whose change of the size has failed", () => {
    const ofL = (intent: Change["intent"], id = "a") => change(intent, 3, { size: "L", id });
    expect([ofL("set"), ofL("remove"), ofL("size"), ofL("add"), ofL("set", "b")].map((one) => needs(one, toL))).toEqual(
      [true, true, true, false, false],
    );
    expect(needs(ofL("set"), ofL("set"))).toBe(false);
  });

  test.each([
    ["without a change of the size", [change("set", 2), change("add", 1, { id: "b" })]],
    ["with one that is the only change of its product", [toL, change("set", 2, { id: "b" })]],
  ])("are repeated as they are %s", (_, changes) => {
    expect(repeatable(changes, [])).toEqual(changes);
  });

  test("are repeated as moves alone if the shown cart is not known", () => {
    expect(repeatable([change("add", 2), toL], undefined)).toEqual([toL]);
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
