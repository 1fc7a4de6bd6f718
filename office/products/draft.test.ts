import { expect, test } from "vitest";
import { EMPTY, meet } from "./draft.ts";

const base = { ...EMPTY, title: "Jersey", price: "49.99", color: "Teal" };

test("what only one has changed is as they have it", () => {
  const { merged, open, taken } = meet(base, { ...base, title: "Mine" }, { ...base, price: "45.00" });
  expect(merged).toEqual({ ...base, title: "Mine", price: "45.00" });
  expect({ open, taken }).toEqual({ open: [], taken: ["price"] });
});

test("what both have changed stays as it is here, until somebody chooses", () => {
  const { merged, open } = meet(base, { ...base, price: "60.00" }, { ...base, price: "45.00" });
  expect(merged.price).toBe("60.00");
  expect(open).toEqual(["price"]);
});

test("what both have changed in the same way is no question", () => {
  const both = { ...base, kinds: ["tees" as const] };
  expect(meet(base, both, both)).toEqual({ merged: both, open: [], taken: [] });
});

test("the order in which the database names a picture's parts says nothing", () => {
  const picture = { hash: "a", width: 1, height: 2, alt: "", background: "#fff" };
  const turned = { background: "#fff", alt: "", height: 2, width: 1, hash: "a" };
  expect(
    meet({ ...base, images: [picture] }, { ...base, images: [picture] }, { ...base, images: [turned] }).taken,
  ).toEqual([]);
});
