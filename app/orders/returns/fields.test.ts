import { describe, expect, test } from "vitest";
import * as messages from "#app/messages.ts";
import { textOf } from "#app/numbers/numbers.ts";
import { errorsOf, MOST_WORDS, pieceKey, readReturnForm } from "./fields.ts";
import type { ReturnFault, ReturnRequest } from "./rules.ts";

const { faults, noReason } = messages.returns;
const one = { reason: "size", "quantity:jersey:M": "1" };
const jersey = { productId: "jersey", size: "M", quantity: 1, newSize: null };

describe("a posted request", () => {
  test.each<[string, Record<string, string>, Partial<ReturnRequest>]>([
    ["one piece for money", one, { pieces: [jersey], reason: "size", words: "" }],
    ["explicitly for money", { ...one, "instead:jersey:M": "money" }, { pieces: [jersey] }],
    ["no choice between money and a size", { ...one, "instead:jersey:M": "" }, { pieces: [jersey] }],
    ["another size", { ...one, "instead:jersey:M": "L" }, { pieces: [{ ...jersey, newSize: "L" }] }],
    ["another size of another piece", { ...one, "instead:jersey:L": "XL" }, { pieces: [jersey] }],
    ["a size with a space", { ...one, "quantity:cap:ONE SIZE": "0" }, { pieces: [jersey] }],
    [
      "two pieces",
      { ...one, "quantity:cap:ONE SIZE": "123456" },
      { pieces: [jersey, { productId: "cap", size: "ONE SIZE", quantity: 123_456, newSize: null }] },
    ],
    ["words in lines", { ...one, words: "a tear\r\nat the seam\r\n" }, { words: "a tear\nat the seam\n" }],
    ["as many words as may be", { ...one, words: "x".repeat(MOST_WORDS) }, { words: "x".repeat(MOST_WORDS) }],
    [
      "lines that a browser counts as one letter each",
      { ...one, words: "\r\n".repeat(MOST_WORDS) },
      { words: "\n".repeat(MOST_WORDS) },
    ],
  ])("is read: %s", (_, fields, request) => {
    expect(readReturnForm(fields)).toMatchObject({ request });
  });

  test.each([
    ["0", 0],
    ["12", 12],
    ["1234567", undefined],
    ["x1", undefined],
    ["1x", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("has the number of returns that its form has shown: %j", (text, after) => {
    const read = readReturnForm({ ...one, ...(text !== undefined && { after: text }) });
    expect(read).toMatchObject({ request: { after } });
  });

  const noPieces = { pieces: faults["no-pieces"] };
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["nothing at all", {}, { ...noPieces, reason: noReason }],
    ["no piece", { reason: "size", "quantity:jersey:M": "0" }, noPieces],
    ["no number", { reason: "size", "quantity:jersey:M": "two" }, noPieces],
    ["a number that goes on", { reason: "size", "quantity:jersey:M": "1e9" }, noPieces],
    ["a number that begins otherwise", { reason: "size", "quantity:jersey:M": "-1" }, noPieces],
    ["a number that no cart can have", { reason: "size", "quantity:jersey:M": "1234567" }, noPieces],
    ["a field of another form", { reason: "size", "a quantity:jersey:M": "1" }, noPieces],
    ["a field with more parts", { reason: "size", "quantity:jersey:M:x": "1" }, noPieces],
    ["a field with fewer", { reason: "size", "quantity:jersey": "1" }, noPieces],
    ["a field with an empty one", { reason: "size", "quantity::M": "1", "quantity:jersey:": "1" }, noPieces],
    ["no reason", { "quantity:jersey:M": "1" }, { reason: noReason }],
    ["a reason that there is not", { ...one, reason: "boredom" }, { reason: noReason }],
    ["too many words", { ...one, words: "x".repeat(MOST_WORDS + 1) }, { words: messages.form.tooLong }],
  ])("is refused: %s", (_, fields, errors) => {
    expect(readReturnForm(fields)).toEqual({ errors });
  });
});

describe("a fault is reported at its field", () => {
  const cap = { productId: "cap", size: "ONE", quantity: 2, newSize: null };
  const request: ReturnRequest = { pieces: [jersey, cap], reason: "size", words: "" };
  test.each<[ReturnFault, number | undefined, string]>([
    ["too-many", 0, "quantity:jersey:M"],
    ["final-sale", 1, "quantity:cap:ONE"],
    ["same-size", 0, "instead:jersey:M"],
    ["not-that-size", 1, "instead:cap:ONE"],
    ["sold-out", 1, "instead:cap:ONE"],
    ["too-late", undefined, "reason"],
    ["too-late-for-damage", undefined, "reason"],
    ["no-words", undefined, "words"],
    ["no-pieces", undefined, "pieces"],
    ["too-many", 7, "reason"],
  ])("%s of piece %s: %s", (fault, at, field) => {
    expect(errorsOf(request, { fault, at })).toEqual({ [field]: textOf(faults[fault]) });
  });

  test("whose name has product and size", () => {
    expect(pieceKey(cap)).toBe("cap:ONE");
  });
});
