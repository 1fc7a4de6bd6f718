import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { PricePair } from "./price-pair.tsx";

/** The visible text of a price pair for one of the two currencies, in the order of the markup. */
function seen(pair: React.ReactNode, hidden: "where-naira-leads" | "where-dollars-lead"): string {
  return renderToStaticMarkup(pair)
    .replace(new RegExp(`<span class="${hidden}">[^<]*</span>`, "g"), "")
    .replace(/<span hidden="">[^<]*<\/span>/g, "")
    .replace(/<[^>]*>/g, "");
}

test.each([
  ["a whole number of naira", FALLBACK_RATE, "$49.99 ≈ ₦79,984", "$49.99 ₦79,984"],
  [
    "a part of one, rounded as it is charged where naira leads",
    parseRate("1534.25"),
    "$49.99 ≈ ₦76,697",
    "$49.99 ₦76,698",
  ],
])("a price that comes to %s", (_, rate = FALLBACK_RATE, dollarsLead, nairaLeads) => {
  const pair = <PricePair cents={usdCents(4999)} rate={rate} />;
  expect(seen(pair, "where-naira-leads")).toBe(dollarsLead);
  expect(seen(pair, "where-dollars-lead")).toBe(nairaLeads);
});

test("18 each element has a single text, so that a new price also replaces a text that a translation tool moved", () => {
  const pair = <PricePair cents={usdCents(4999)} rate={parseRate("1534.25") ?? FALLBACK_RATE} />;
  expect(renderToString(pair)).not.toContain("<!-- -->"); // React puts this between two adjacent texts of an element
});

test("what is charged is never approximate", () => {
  const pair = <PricePair cents={usdCents(4999)} rate={FALLBACK_RATE} charged={kobo(7_998_400)} />;
  expect(seen(pair, "where-naira-leads")).toBe("$49.99 ₦79,984");
});
