import { expect, test } from "vitest";
import { greeting, splitName } from "./display-name.ts";

test.each([
  ["two words", "Ada Obi", { firstName: "Ada", lastName: "Obi" }],
  ["three words", "Ada Ngozi Obi", { firstName: "Ada", lastName: "Ngozi Obi" }],
  ["one word", "Ada", { firstName: "Ada", lastName: "" }],
  ["none", "", { firstName: "", lastName: "" }],
  ["too many spaces", "  Ada   Obi ", { firstName: "Ada", lastName: "Obi" }],
  ["line breaks", "Ada\r\nObi X", { firstName: "AdaObi", lastName: "X" }],
  ["markup", "<b>Ada</b> Obi", { firstName: "<b>Ada</b>", lastName: "Obi" }],
  ["10 kB", "a".repeat(10_000), { firstName: "a".repeat(100), lastName: "" }],
])("S25 a name of %s", (_, name, split) => {
  expect(splitName(name)).toEqual(split);
});

test.each([
  ["Ada", "Welcome, Ada!"],
  ["", "Welcome!"],
])("the welcome line of the first name '%s'", (firstName, line) => {
  expect(greeting(firstName)).toBe(line);
});
