import { describe, expect, test } from "vitest";
import { readBlocks } from "./blocks.ts";
import {
  EMAIL,
  filled,
  isLinkTarget,
  partsOf,
  placeholdersIn,
  plainOf,
  readNotation,
  targetsIn,
  withoutEmpty,
  writeNotation,
} from "./notation.ts";
import { originalBlocks } from "./originals.server.tsx";
import { TEXT_PAGE_NAMES } from "./pages.ts";

test.each([
  ["nothing", " \n\n ", []],
  ["one paragraph", "Made in\nLagos.  ", [{ kind: "paragraph", text: "Made in Lagos." }]],
  [
    "paragraphs with a blank line between them",
    "One\r\n\r\n\r\nTwo",
    [
      { kind: "paragraph", text: "One" },
      { kind: "paragraph", text: "Two" },
    ],
  ],
  [
    "a heading between paragraphs, without blank lines",
    "One\n# What we make\nTwo",
    [
      { kind: "paragraph", text: "One" },
      { kind: "heading", text: "What we make" },
      { kind: "paragraph", text: "Two" },
    ],
  ],
  [
    "a list, whose items may go on in the next line",
    "We make\n- jerseys\n- tees\nin five sizes\n\n- caps",
    [
      { kind: "paragraph", text: "We make" },
      { kind: "list", items: ["jerseys", "tees in five sizes"] },
      { kind: "list", items: ["caps"] },
    ],
  ],
  ["marks without a text after them", "#Lagos -5 #", [{ kind: "paragraph", text: "#Lagos -5 #" }]],
  ["letters with combining marks, which are composed", "O\u0323mo\u0323", [{ kind: "paragraph", text: "Ọmọ" }]],
])("%s is read as blocks, and is the same after being written and read again", (_, typed, blocks) => {
  expect(readNotation(typed)).toEqual(blocks);
  expect(readNotation(writeNotation(readNotation(typed)))).toEqual(blocks);
});

describe("a link", () => {
  test.each(["/", "/shop?kind=tees", "/account#settings", "https://example.com/a"])("may lead to %s", (to) => {
    expect(isLinkTarget(to)).toBe(true);
    expect(partsOf(`See [our shop](${to}).`)).toEqual(["See ", { text: "our shop", to }, "."]);
    expect(plainOf(`See [our shop](${to}).`)).toBe("See our shop.");
  });

  test.each([
    "",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert%60%60",
    "http://example.com",
    "shop",
    "https:///x",
  ])("may not lead to %s: it stays text", (to) => {
    expect(partsOf(`See [our shop](${to}).`)).toEqual([`See [our shop](${to}).`]);
    expect(targetsIn(`See [our shop](${to}).`)).toEqual([to]);
  });
});

test("{email} stands for the shop's address", () => {
  expect(partsOf("Write to {email}, or {phone}.")).toEqual(["Write to ", EMAIL, ", or {phone}."]);
  expect(writeNotation(originalBlocks("returns"))).toContain("Write to {email} with the number");
});

test("placeholders are replaced once, and those without a value stay", () => {
  const text = "{first name}: {amount} {other} {constructor} {";
  expect(placeholdersIn(text)).toEqual(["first name", "amount", "other", "constructor"]);
  expect(filled(text, { "first name": "{amount}", amount: "$& ₦1" })).toBe("{amount}: $& ₦1 {other} {constructor} {");
  expect(filled("{it} here. {it}, {it}", { it: "ẹni" })).toBe("Ẹni here. Ẹni, ẹni");
});

test.each([
  ["Hello {name}, it came", "Hello, it came"],
  ["Thanks, {name}!", "Thanks!"],
  ["{name}, ẹ ṣé", "Ẹ ṣé"],
  ["{name}: {number} came", "{number} came"],
  ["It came. {name}", "It came."],
  ["{name}", ""],
  ["Hello {other}, it came", "Hello {other}, it came"],
])("with an empty name, %j becomes %j", (line, left) => {
  expect(withoutEmpty(line, { name: "", number: "1" })).toBe(left);
});

test("the text of the shipping policy has the place of the delivery prices", () => {
  expect(writeNotation(originalBlocks("shipping"))).toContain("before you pay.\n\n{delivery prices}\n\n# Tracking");
});

test.each([
  ["a list of blocks", [{ kind: "heading", text: "a" }], true],
  ["an empty list", [], false],
  ["an unknown kind", [{ kind: "html", text: "<b>a</b>" }], false],
  ["a list without items", [{ kind: "list", items: [] }], false],
  ["a heading without a text", [{ kind: "heading", text: "" }], false],
  ["no list", { kind: "heading", text: "a" }, false],
  ["a text", "a", false],
])("whether %s is a stored text", (_, stored, isText) => {
  expect(readBlocks(stored)).toEqual(isText ? stored : undefined);
});

test.each(TEXT_PAGE_NAMES)("the text of %s in code has a notation, which the owner can begin with", (page) => {
  const blocks = originalBlocks(page);
  expect(blocks.length).toBeGreaterThan(3);
  expect(readNotation(writeNotation(blocks))).toEqual(blocks);
  expect(readBlocks(blocks)).toEqual(blocks);
});
