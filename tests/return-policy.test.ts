import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { linesOf } from "#app/content/blocks.ts";
import { originalBlocks } from "#app/content/originals.server.tsx";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { refundDueBy } from "#app/orders/returns/rules.ts";

const { returnDays, damageHours, refundDays } = SHIPPED_NUMBERS;

const textOf = (file: string) => readFileSync(file, "utf8").replaceAll(/\s+/g, " ");
const policy = ` ${originalBlocks("returns").flatMap(linesOf).join(" ")} `;
const form = ["form", "piece"].map((name) => textOf(`app/orders/returns/${name}.tsx`)).join(" ");

test("33 the policy says from when the business days of a refund count, as they are counted", () => {
  expect(policy).toContain(`within ${refundDays} business days after approval`);
  expect(policy).toContain("our yes to your return if the pieces are here or may stay with you");
  expect(policy).toContain("else the day on which they arrive here");
  expect(String(refundDueBy(new Date("2026-11-26T10:00:00Z"), "Africa/Lagos", SHIPPED_NUMBERS))).toBe("2026-12-07");
});

test("the policy has the specification's sentences about what can't be returned, without a condition", () => {
  const sentences = [
    "Original shipping charges are non-refundable.",
    "Final sale items and gift cards cannot be returned.",
  ];
  for (const sentence of sentences) expect(policy).toContain(` ${sentence} `);
  expect(policy).toContain(`report damaged or incorrect items within ${damageHours} hours`);
});

test("35 policy, form and rule promise the same", () => {
  for (const days of [`returns? .*within ${returnDays} days of delivery`, `within ${damageHours} hours of delivery`])
    expect(policy).toMatch(new RegExp(days, "i"));
  expect(policy).toContain("Need another size?");
  for (const text of [policy, form, textOf("app/content/shipping.tsx")])
    expect(text).not.toMatch(/colou?r\?|with a photograph/i);
  for (const text of [policy, form]) {
    expect(text).toMatch(/a photo helps/i);
    expect(text).toMatch(/mistake was ours/);
    expect(text).toMatch(/we refund delivery, too/i);
    expect(text).toMatch(/damaged or (is|are)n’t what you ordered/);
  }
});
