import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { familiesIn, familiesOf } from "./color-words.server.ts";

test.each([
  ["Palm Green", ["green"]],
  ["NAVY", ["blue"]],
  ["Teal", ["green", "blue"]],
  ["Off White", ["white"]],
  ["Washed Black", ["black"]],
  ["Burnt Orange", ["orange"]],
  ["Black/white", ["white", "black"]],
  ["Oat and indigo", ["blue", "cream"]],
  ["Redwood", ["other"]], // a word is known as a whole only
  ["Harlequin", ["other"]],
  ["Ọ̀sán", ["other"]],
  ["", []],
  [" - ", []],
])("the colour “%s” is in the families %j", (color, families) => {
  expect(familiesOf(color)).toEqual(families);
});

test("the families of a shop are in the order of the filter, each once", () => {
  expect(familiesIn(["Harlequin", "Navy", "Palm Green", "Indigo", ""])).toEqual(["green", "blue", "other"]);
});

test("each colour of the demo has a family", () => {
  const products: { color: string }[] = JSON.parse(readFileSync("db/demo/products.json", "utf8"));
  expect(products.filter(({ color }) => familiesOf(color).includes("other"))).toEqual([]);
});
