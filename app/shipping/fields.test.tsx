import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { Currency } from "#app/catalog/currency/country.ts";
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
const bare = { state: "", address: "", landmark: "", hours: "", bring: "" };
const rates: ShippingRates = {
  states: [
    { name: "Lagos", rateCents: usdCents(350) },
    { name: "Kano", rateCents: usdCents(0) },
  ],
  pickups: [
    { ...bare, name: "Yaba", rateCents: usdCents(200) },
    {
      ...bare,
      name: "Ikeja",
      rateCents: usdCents(200),
      address: "1 Allen Avenue",
      hours: "Mon-Fri",
      bring: "Your order number.",
    },
    { ...bare, name: "Enugu", rateCents: usdCents(500), landmark: "Near the stadium" },
  ],
  countries: [
    { code: "AE", name: "United Arab Emirates", rateCents: usdCents(2800) },
    { code: "GB", name: "United Kingdom", rateCents: usdCents(2800) },
    { code: "KE", name: "Kenya", rateCents: usdCents(2200) },
    { code: "US", name: "United States", rateCents: usdCents(3000) },
  ],
};

function htmlWith(fields: Record<string, string>, currency: Currency = "USD"): string {
  return renderToStaticMarkup(
    <ShippingFields
      fields={shippingFields((name) => fields[name] ?? "")}
      errors={{}}
      rates={rates}
      rate={rate}
      currency={currency}
      dates={{ nigeria: "27 November to 4 December", abroad: "4 to 16 December" }}
      isFree={false}
      onChange={() => undefined}
    />,
  );
}

function formWith(fields: Record<string, string>, currency?: Currency): string {
  return htmlWith(fields, currency)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

describe("a pick-up location is an object with a rate: its other details are shown, and nothing for missing ones", () => {
  test.each<[string, string[], string[]]>([
    ["Yaba", ["Place Yaba"], ["Open", "Bring", ". ."]],
    ["Ikeja", ["Place Ikeja. 1 Allen Avenue", "Open Mon-Fri", "Bring Your order number."], [". ."]],
    ["Enugu", ["Place Enugu. Near the stadium"], ["Open", "Bring", ". ."]],
  ])("%s", (pickupCenter, shown, notShown) => {
    const text = formWith({ country: "Nigeria", deliveryType: "Pick-up", pickupCenter });
    for (const one of shown) expect(text).toContain(one);
    for (const one of notShown) expect(text).not.toContain(one);
  });
});

describe("a postal code, and a state or region, is asked for where addresses have one", () => {
  test.each([
    ["United States", "State or region ", "Postal code "],
    ["United Kingdom", undefined, "Postal code "],
    ["Kenya", undefined, "Postal code (optional)"],
    ["United Arab Emirates", "State or region ", undefined],
  ])("%s", (country, state, postalCode) => {
    const text = formWith({ country });
    if (state) expect(text).toContain(state);
    else expect(text).not.toContain("State or region");
    expect(text).not.toContain("State or region (optional)");
    if (postalCode) expect(text).toContain(postalCode);
    else expect(text).not.toContain("Postal code");
    if (postalCode && !postalCode.includes("optional")) expect(text).not.toContain("Postal code (optional)");
  });
});

test.each([
  ["of digits alone opens a phone's keys for numbers", "United States", "numeric"],
  ["with letters opens all keys", "United Kingdom", "text"],
])("a postal code %s", (_, country, keys) => {
  const [field] = /<input[^>]*name="postalCode"[^>]*>/.exec(htmlWith({ country })) ?? [];
  expect(field).toContain(` inputMode="${keys}"`);
});

test.each([
  ["Kenya", true],
  ["Nigeria", false],
  ["", false],
])("what customs may ask is said of the country '%s': %s", (country, isSaid) => {
  expect(formWith({ country }).includes("Your country may charge duties or taxes")).toBe(isSaid);
});

describe("the ways of delivery", () => {
  test("have their lowest prices, and their days", () => {
    const text = formWith({ country: "Nigeria" });
    expect(text).toContain("Home Delivery 3 to 7 business days after packing from $0.00 ≈ ₦0");
    expect(text).toContain("Pick-up 3 places in Nigeria from $2.00 ≈ ₦3,200");
  });

  test("have their prices to the chosen place, and the arrival dates", () => {
    const text = formWith({ country: "Nigeria", deliveryType: "Home Delivery", state: "Lagos", pickupCenter: "Enugu" });
    expect(text).toContain("Home Delivery Lagos: 27 November to 4 December $3.50 ≈ ₦5,600");
    expect(text).toContain("Pick-up Enugu: 27 November to 4 December $5.00 ≈ ₦8,000");
  });
});

describe("the naira is shown beside the dollar price of every delivery rate", () => {
  test("in the form", () => {
    const text = formWith({ country: "Nigeria", deliveryType: "Home Delivery" });
    expect(text).toContain("Lagos ($3.50, ≈ ₦5,600)");
    expect(text).toContain("Yaba ($2.00, ≈ ₦3,200)");
    expect(text).toContain("Kano (free)");
  });

  test("in the form, if naira comes first: as the charge", () => {
    const text = formWith({ country: "Nigeria", deliveryType: "Home Delivery" }, "NGN");
    expect(text).toContain("Lagos (₦5,600, $3.50)");
    expect(text).toContain("Yaba (₦3,200, $2.00)");
  });

  test("in the shipping policy", () => {
    const text = renderToStaticMarkup(<ShippingPrices rates={rates} rate={rate} />).replace(/<[^>]*>/g, " ");
    expect(text).toMatch(/Lagos\s+\$3\.50\s+≈\s+₦5,600/);
    expect(text).toMatch(/Kano\s+free/);
  });
});
