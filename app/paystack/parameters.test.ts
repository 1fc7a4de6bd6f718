import { expect, test } from "vitest";
import { parameterProblems } from "./parameters.ts";

const good = { key: "pk_test_1", email: "ada@example.com", amount: 500_000 };
const INVALID = "Invalid transaction parameters";

test.each<[string, unknown]>([
  ["all that is required", good],
  ["an amount in words", { ...good, amount: "500000" }],
  ["everything", { ...good, currency: "NGN", reference: "r", channels: ["card"], metadata: {} }],
  ["an access code alone", { accessCode: "3ni8kdavz62431k" }],
])("%s is good", (_, parameters) => {
  expect(parameterProblems(parameters)).toBeUndefined();
});

test.each<[string, unknown, string, string[]]>([
  ["nothing", undefined, "Transaction parameters should be a non-empty object", []],
  ["null", null, "Transaction parameters should be a non-empty object", []],
  ["an empty object", {}, "Transaction parameters should be a non-empty object", []],
  ["a list", [good], "Transaction parameters should be a non-empty object", []],
  ["a word", "pay", "Transaction parameters should be a non-empty object", []],
  ["no key", { ...good, key: undefined }, INVALID, ["Required parameter missing: key"]],
  ["an empty address", { ...good, email: "" }, INVALID, ["Required parameter missing: email"]],
  [
    "only a currency",
    { currency: "NGN" },
    INVALID,
    ["key", "email", "amount"].map((name) => `Required parameter missing: ${name}`),
  ],
  ["a key that is a number", { ...good, key: 1 }, INVALID, ["Invalid parameter type: key"]],
  ["an amount that is a list", { ...good, amount: [1] }, INVALID, ["Invalid parameter type: amount"]],
  ["one channel without its list", { ...good, channels: "card" }, INVALID, ["Invalid parameter type: channels"]],
  ["metadata as text", { ...good, metadata: "{}" }, INVALID, ["Invalid parameter type: metadata"]],
  ["an empty access code", { accessCode: "" }, INVALID, ["Required parameter missing: accessCode"]],
  ["an access code that is none", { accessCode: {} }, INVALID, ["Invalid parameter type: accessCode"]],
])("%s: %s", (_, parameters, message, issues) => {
  expect(parameterProblems(parameters)).toEqual({ message, issues });
});
