import { describe, expect, test } from "vitest";
import { lettersWrong, respell } from "./spelling.ts";
import { searchWords } from "./words.ts";

const known = new Set(
  "ankara indigo jersey shirt tee green cream zigzag pinstripe long sleeve harmattan home print".split(" "),
);

describe("the correction of a search", () => {
  test.each<[string, string | undefined, boolean?]>([
    ["ankara jersey", undefined],
    ["jerseys", undefined],
    ["ank", undefined],
    ["jersey 5", undefined],
    ["ankra", "ankara", true],
    ["indgo jersy", "indigo jersey", true],
    ["grene shrit", "green shirt", true],
    ["harmtan", "harmattan", true],
    ["hoem", "home", true],
    ["zig zag", "zigzag", true],
    ["longsleeve", "long sleeve", true],
    ["anrra", "ankara", false],
    ["ankra hoodie", "ankara", false],
    ["hoodie", undefined],
    ["te", undefined],
    ["", undefined],
  ])("%s: %s", (search, meant, isNear) => {
    expect(respell(searchWords(search), known)).toEqual(meant && { search: meant, isNear });
  });
});

test.each([
  ["osnu", ["onu", "osun"], "osun"], // a swap before a letter too many
  ["osun", ["isun", "osin"], "osin"], // the same first letter before another
  ["osun", ["osan", "osin"], "osan"], // the alphabet
])("%s, equally near to %j, is corrected to %s, whatever their order", (search, words, meant) => {
  for (const order of [words, words.toReversed()])
    expect(respell([search], new Set(order))).toEqual({ search: meant, isNear: true });
});

test.each([
  ["T-Shirts for the home", ["tee", "home"]],
  ["tshirt", ["tee"]],
  ["t shirt", ["tee"]],
  ["Tee-Shirt", ["tee"]],
  ["green shirt", ["green", "shirt"]],
  ["'; drop & | ! :* table", ["drop", "table"]],
  ["Ẹ̀kọ́ jersey", ["eko", "jersey"]],
])("the words of %s", (search, words) => {
  expect(searchWords(search)).toEqual(words);
});

test.each([
  ["same", "same", 0],
  ["form", "from", 1],
  ["ankra", "ankara", 1],
  ["jercey", "jersey", 1],
  ["", "tee", 3],
])("the number of wrong letters between %s and %s: %i", (a, b, wrong) => {
  expect(lettersWrong(a, b)).toBe(wrong);
});
