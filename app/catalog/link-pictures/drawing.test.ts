import { expect, test } from "vitest";
import { drawText } from "./drawing.server.ts";

const LINE = { size: 64, width: 600, lines: 1 };

// A letter of another font would be wider or narrower than its plain letter, and so would the box for a missing one.
test.each([
  ["Ọ", "O"],
  ["ọ̀", "o"],
  ["Ẹ", "E"],
  ["ẹ́", "e"],
  ["Ṣ", "S"],
  ["ṣ", "s"],
  ["Ụ", "U"],
  ["ụ", "u"],
  ["à", "a"],
  ["ń", "n"],
])("%s is drawn in the shop's own font, as %s with its marks", async (marked, plain) => {
  const [one, other] = await Promise.all([drawText(marked, LINE), drawText(plain, LINE)]);
  expect(Math.abs(one.info.width - other.info.width)).toBeLessThanOrEqual(1);
  expect(one.info.height).toBeGreaterThan(other.info.height);
});

test("each mark, letter and sign of a name is drawn as another shape", async () => {
  const signs = [..."OỌỊIUỤEẸSṢɓbɗdƙkƴyṄN₦$", "ọ̀", "ọ́", "ọ"];
  const shapes = await Promise.all(signs.map(async (sign) => (await drawText(sign, LINE)).data.toString("base64")));
  expect(new Set(shapes).size).toBe(signs.length);
});

test("markup of Pango is drawn as text, and a control character as a space", async () => {
  const [marked, plain] = await Promise.all([drawText("<b>A & B</b>", LINE), drawText("A B", LINE)]);
  expect(marked.info.width).toBeGreaterThan(2 * plain.info.width);
  expect((await drawText("A\u0007B", LINE)).data.equals(plain.data)).toBe(true);
});

test("a long text is broken into two lines, and a longer one ends with an ellipsis there", async () => {
  const box = { size: 56, width: 488, lines: 2 };
  const heightOf = async (text: string) => (await drawText(text, box)).info.height;
  const one = await heightOf("Lagoon Sash");
  const two = await heightOf("Lagoon Sash Jersey for all of us");
  expect(two).toBeGreaterThan(one + box.size);
  const long = "Lagoon Sash Jersey for all of us ".repeat(8);
  expect(await heightOf(long)).toBeLessThan(two + box.size / 2);
  expect((await drawText(long, box)).data.equals((await drawText(`${long}${long}`, box)).data)).toBe(true);
  expect(await heightOf("Jersey".repeat(40))).toBeLessThan(two + box.size / 2);
});

test.each([
  ["a letter under a tower of marks", `a${"\u0301".repeat(100)}`],
  ["a line separator", "A\u2028B\u2028C\u2028D"],
  ["nothing to see", "\u200b \u200f"],
])("a text with %s stays in its box", async (_, text) => {
  const { info } = await drawText(text, LINE);
  expect(info.width).toBeLessThanOrEqual(LINE.width);
  expect(info.height).toBeLessThan(1.5 * LINE.size);
});
