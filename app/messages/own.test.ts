import { afterEach, describe, expect, test } from "vitest";
import * as messages from "../messages.ts";
import { putMessages } from "./own.ts";
import { LOCKED, OWNABLE, QUOTED } from "./ownable.ts";

afterEach(() => putMessages());

test("an own sentence is in the place of the one in code, with its values, until it is taken back", () => {
  putMessages({
    "cartOther.soldOut": "Gone.",
    "codes.sum": "{1} to go of {0}, {1}!",
    "returns.closed.too-late": "After {returnDays} days it’s yours.",
  });
  expect(messages.cartOther.soldOut).toBe("Gone.");
  expect(messages.codes.sum("$5", "{0}")).toBe("{0} to go of $5, {0}!");
  expect(messages.returns.closed["too-late"]({ returnDays: 30 })).toBe("After 30 days it’s yours.");
  putMessages({ "cartOther.soldOut": "Gone for now." });
  expect(messages.cartOther.soldOut).toBe("Gone for now.");
  expect(messages.codes.sum("$5", "$1")).toBe("This code needs $5 of what it’s for: $1 more.");
  putMessages();
  expect(messages.cartOther.soldOut).toBe("Sold out: not in your total.");
});

test("a key that the shop doesn't have, or may not have, changes nothing", () => {
  const before = JSON.stringify(messages);
  putMessages({ "cartOther.none": "x", cartOther: "x", "login.failed": "x", "constructor.name": "x", "": "x" });
  expect(JSON.stringify(messages)).toBe(before);
});

test("each sentence is ownable, or quoted, or one that stays", () => {
  expect(QUOTED).toContain("Login failed");
  expect(OWNABLE.filter(({ text }) => QUOTED.includes(text))).toEqual([]);
  const keys = OWNABLE.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  const all = JSON.stringify(messages, (_, said) => (typeof said === "function" ? "()" : said)).match(/":"/g)?.length;
  // Six that stay, eighteen of a queue, and two that only staff read.
  expect(LOCKED).toHaveLength(QUOTED.length + 6 + 18);
  expect(keys.length + LOCKED.length + 2).toBe(all);
});

describe("the text in code", () => {
  test.each(OWNABLE.map(({ key, text, values }) => [key, text, values] as const))(
    "of %s names each of its values once or more, and nothing else",
    (_, text, values) => {
      const named = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
      expect(new Set(named)).toEqual(new Set(values.map(([, name]) => name)));
    },
  );
});
