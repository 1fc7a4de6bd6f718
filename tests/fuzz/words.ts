import fc from "fast-check";
import { PAYLOADS } from "./payloads.ts";
import { NAMES } from "./world.ts";

/** A placeholder for something that exists in the shop, filled in when the case is sent: `{{product}}`. */
export const known = fc.constantFrom(...NAMES).map((name) => `{{${name}}}`);

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

const NUMBERS = ["0", "1", "-1", "2", "10", "999999", "1000001", "2147483648", "9007199254740993", "1e21", "1e-7"];
const ODD_NUMBERS = ["NaN", "Infinity", "0x10", "1.005", "1,5", "１２", " 7 ", "+3", "--1", "00", "9".repeat(400)];
const TIMES = [
  "2026-11-30",
  "2026-11-30T09:00",
  "2026-02-31",
  "0000-00-00",
  "9999-12-31T23:59",
  "-271821-04-20",
  "now",
];

/**
 * Any character, as fast-check's unit "binary", with the same characters for a seed. For that unit fast-check makes a
 * map of all 1.1 million, which takes seconds in each process.
 */
const character = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (at) => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES),
  (text) => {
    const code = typeof text === "string" && text.isWellFormed() ? (text.codePointAt(0) ?? Number.NaN) : Number.NaN;
    if (Number.isNaN(code) || String.fromCodePoint(code) !== text) throw new Error("It is not one character");
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);

/** Anything that somebody could type. */
export const word: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: known },
  { weight: 4, arbitrary: fc.constantFrom(...PAYLOADS.filter(({ length }) => length < 10_000)) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS, ...ODD_NUMBERS, ...TIMES) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "on", "yes", "all", "M", "Lagos", "Nigeria", "[]", "{}", "[[[[") },
  { weight: 1, arbitrary: fc.string({ unit: character, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
);

/** Very long texts, for rare use. */
export const longWord = fc.constantFrom(...PAYLOADS.filter(({ length }) => length >= 10_000));
