import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { parseRate } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { ShippingFields } from "./fields.tsx";
import { ShippingPrices } from "./prices.tsx";
import { type ShippingRates, shippingFields } from "./shipping.ts";

const rate =
  parseRate("1600") ??
  (() => {
    throw new Error("no rate");
  })();
const bare = { state: "", address: "", landmark: "", hours: "" };
const rates: ShippingRates = {
  states: [
    { name: "Lagos", rateCents: usdCents(350) },
    { name: "Kano", rateCents: usdCents(0) },
  ],
  pickups: [
    { ...bare, name: "Yaba", rateCents: usdCents(200) },
    { ...bare, name: "Ikeja", rateCents: usdCents(200), address: "1 Allen Avenue", hours: "Mon-Fri" },
    { ...bare, name: "Enugu", rateCents: usdCents(500), landmark: "Near the stadium" },
  ],
  countries: [
    { code: "AE", name: "United Arab Emirates", rateCents: usdCents(2800) },
    { code: "GB", name: "United Kingdom", rateCents: usdCents(2800) },
    { code: "KE", name: "Kenya", rateCents: usdCents(2200) },
    { code: "US", name: "United States", rateCents: usdCents(3000) },
  ],
};

function formWith(fields: Record<string, string>): string {
  const html = renderToStaticMarkup(
    <ShippingFields
      fields={shippingFields((name) => fields[name] ?? "")}
      errors={{}}
      rates={rates}
      rate={rate}
      onChange={() => undefined}
    />,
  );
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

describe("a pick-up location is an object with a rate: what else it has is shown, and nothing for what it has not", () => {
  test.each<[string, string[], string[]]>([
    ["Yaba", [], ["Open", ". ."]],
    ["Ikeja", ["1 Allen Avenue.", "Open Mon-Fri."], [". ."]],
    ["Enugu", ["Near the stadium."], ["Open", ". ."]],
  ])("%s", (pickupCenter, shown, notShown) => {
    const text = formWith({ country: "Nigeria", deliveryType: "Pick-up", pickupCenter });
    for (const one of shown) expect(text).toContain(one);
    for (const one of notShown) expect(text).not.toContain(one);
  });
});

describe("a postal code, and a state or region, is asked for where addresses have one", () => {
  test.each([
    ["United States", "State or region ", "Postal code "],
    ["United Kingdom", "State or region (optional)", "Postal code "],
    ["Kenya", "State or region (optional)", "Postal code (optional)"],
    ["United Arab Emirates", "State or region ", undefined],
  ])("%s", (country, state, postalCode) => {
    const text = formWith({ country });
    expect(text).toContain(state);
    expect(text.includes(`${state}(optional)`)).toBe(false);
    if (postalCode) expect(text).toContain(postalCode);
    else expect(text).not.toContain("Postal code");
    if (postalCode && !postalCode.includes("optional")) expect(text).not.toContain("Postal code (optional)");
  });
});

describe("the naira is shown beside the dollar price of every delivery rate", () => {
  test("in the form", () => {
    const text = formWith({ country: "Nigeria", deliveryType: "Home Delivery" });
    expect(text).toContain("Lagos ($3.50, ≈ ₦5,600)");
    expect(text).toContain("Yaba ($2.00, ≈ ₦3,200)");
    expect(text).toContain("Kano (free)");
  });

  test("in the shipping policy", () => {
    const text = renderToStaticMarkup(<ShippingPrices rates={rates} rate={rate} />).replace(/<[^>]*>/g, " ");
    expect(text).toMatch(/Lagos\s+\$3\.50\s+≈ ₦5,600/);
    expect(text).toMatch(/Kano\s+free/);
  });
});
