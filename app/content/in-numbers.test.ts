import { expect, test } from "vitest";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { inNumbers } from "./in-numbers.ts";

const OWN: Numbers = {
  ...{ returnDays: 30, damageHours: 72, refundDays: 1 },
  ...{ packFrom: 3, packTo: 6, nigeriaFrom: 3, nigeriaTo: 6, abroadFrom: 9, abroadTo: 21 },
};

test.each([
  ["You can return items within 14 days of delivery.", "You can return items within 30 days of delivery."],
  ["Within 7 business days, or 7 working days.", "Within 1 business day, or 1 working day."],
  ["Damaged? Tell us within 48 hours. A 48-hour limit.", "Damaged? Tell us within 72 hours. A 72-hour limit."],
  ["After your order has left, tracking may take up to 48 hours to update.", undefined],
  [
    "Tracking takes 48 hours. Report damage within 48 hours.",
    "Tracking takes 48 hours. Report damage within 72 hours.",
  ],
  ["Orders are processed in 2-3 business days.", "Orders are processed in 3-6 business days."],
  [
    "Nigeria: 3 to 7 business days, abroad 7–14 business days.",
    "Nigeria: 3 to 6 business days, abroad 9–21 business days.",
  ],
  ["By express: delivered in 2-3 business days", undefined],
  ["Abroad in 7-14 days, 7 – 14 days or 7 to 14 days.", undefined],
  ["7 days, 14 hours, 14 business days, 48 days, 1,214 days, 114 days", undefined],
  ["", undefined],
])("only the owner's numbers change in: %s", (text, other = text) => {
  expect(inNumbers(text, OWN)).toBe(other);
  expect(inNumbers(text, SHIPPED_NUMBERS)).toBe(text);
});

test("a text with the owner's numbers follows their changes, and can be changed back", () => {
  const typed = "Back within 30 days, or 72 hours. Packed in 3-6 business days. In Nigeria after 3-6 business days.";
  const stored = inNumbers(typed, SHIPPED_NUMBERS, OWN);
  expect(stored).toBe(
    "Back within 14 days, or 48 hours. Packed in 2-3 business days. In Nigeria after 3-7 business days.",
  );
  expect(inNumbers(stored, OWN)).toBe(typed);
});
