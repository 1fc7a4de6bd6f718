import { expect, test } from "vitest";
import { fieldWords, valueWords } from "./field-words.ts";

test.each<[name: string, value: unknown, says: string]>([
  ["kobo", 7_998_400, "sum: ₦79,984"],
  ["refundedKobo", "150050", "refunded: ₦1,500.50"],
  ["priceCents", 4999, "price: $49.99"],
  ["fulfilledAt", "27 Nov 2026, 14:36", "fulfilled at: 27 Nov 2026, 14:36"],
  ["hidden", true, "hidden: yes"],
  ["carrier", null, "carrier: none"],
  ["sizes", ["S", "M"], "sizes: S; M"],
  ["details", {}, "details: none"],
  ["tracking", "4711", "tracking: 4711"],
  [
    "slides",
    [
      { text: "New in", link: "/shop", focus: { x: 5, y: 3 } },
      { text: "Sale", link: null },
    ],
    "slides: text New in, link /shop, focus x 5, y 3; text Sale",
  ],
])("the audit log shows %s %j in words", (name, value, says) => {
  expect(`${fieldWords(name)}: ${valueWords(name, value)}`).toBe(says);
});
