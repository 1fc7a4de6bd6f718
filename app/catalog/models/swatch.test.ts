import { expect, test } from "vitest";
import { familiesOf } from "../filter/color-words.server.ts";
import { swatchOf } from "./swatch.ts";

test.each([
  ["Palm Green", "#0f6b45"],
  ["Black and White", "linear-gradient(135deg, #ffffff 50%, #17130e 50%)"],
  ["Zebra", "conic-gradient(#d4541a, #e3b53c, #0f6b45, #2c3f94, #643f83, #d4541a)"],
  ["", "conic-gradient(#d4541a, #e3b53c, #0f6b45, #2c3f94, #643f83, #d4541a)"],
])("the swatch of %s", (color, background) => {
  expect(swatchOf(familiesOf(color))).toBe(background);
});
