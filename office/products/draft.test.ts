import { expect, test } from "vitest";
import { merge } from "../conflict/merge.ts";
import { EMPTY, FIELD_NAMES, wordsOf } from "./draft.ts";

const base = { ...EMPTY, title: "Jersey", price: "49.99", color: "Teal" };

test("a field that only one member has changed has that member's value", () => {
  const { merged, open, taken } = merge(base, { ...base, title: "Mine" }, { ...base, price: "45.00" });
  expect(merged).toEqual({ ...base, title: "Mine", price: "45.00" });
  expect({ open, taken }).toEqual({ open: [], taken: ["price"] });
});

test("a field that both have changed keeps one's own value until a choice", () => {
  const { merged, open } = merge(base, { ...base, price: "60.00" }, { ...base, price: "45.00" });
  expect(merged.price).toBe("60.00");
  expect(open).toEqual(["price"]);
});

test("a field that both have changed in the same way is no conflict", () => {
  const both = { ...base, kinds: ["tees" as const] };
  expect(merge(base, both, both)).toEqual({ merged: both, open: [], taken: [] });
});

test("the order of a picture's keys makes no difference", () => {
  const picture = { hash: "a", width: 1, height: 2, alt: "", background: "#fff" };
  const turned = { background: "#fff", alt: "", height: 2, width: 1, hash: "a" };
  expect(
    merge({ ...base, images: [picture] }, { ...base, images: [picture] }, { ...base, images: [turned] }).taken,
  ).toEqual([]);
});

test("a field's name and its value have texts", () => {
  const draft = { ...EMPTY, finalSale: true, kinds: ["tees" as const], care: "By hand", price: "5.00" };
  const told = (["color", "price", "kinds", "finalSale", "images", "pieces", "shown", "fit", "care"] as const).map(
    (name) => `${FIELD_NAMES[name]}: ${wordsOf(name, draft, [{ id: "tees", name: "Tees" }])}`,
  );
  expect(told).toEqual([
    "colour: empty",
    "price: $5.00",
    "kinds: Tees",
    "final sale: yes",
    "pictures: 0 pictures",
    "pieces of new sizes: ",
    "place in the shop: Draft",
    "fit: empty",
    "care: By hand",
  ]);
  expect(wordsOf("finalSale", EMPTY, [])).toBe("no");
});
