import { describe, expect, test } from "vitest";
import { usdCents } from "#app/money/money.ts";
import { lagosForm } from "#tests/support/shop.ts";
import { arrivalDates } from "./business-days.ts";
import { stillNeeded } from "./check.ts";
import { isNigerianPhone, normalizeNigerianPhone } from "./phone.ts";
import { fieldsOfPlace } from "./place/places.ts";
import { isPostalCode } from "./postal-code.ts";
import { isComplete, type ShippingFields, type ShippingRates, shippingCost, shippingFields } from "./shipping.ts";

const rates: ShippingRates = {
  states: [{ name: "Lagos", rateCents: usdCents(350) }, { name: "Kano" }],
  pickups: [
    { name: "Yaba", rateCents: usdCents(200), state: "Lagos", address: "", landmark: "", hours: "", bring: "" },
  ],
  countries: [{ code: "GB", name: "United Kingdom", rateCents: usdCents(2800) }],
};

test.each([
  ["a state", { kind: "home", state: "Lagos" }, 350],
  ["a state without a rate", { kind: "home", state: "Kano" }, 0],
  ["a pick-up center", { kind: "pickup", center: "Yaba" }, 200],
  ["a center that is no more", { kind: "pickup", center: "Surulere" }, 0],
  ["a country", { kind: "abroad", country: "GB" }, 2800],
  ["a country without a rate", { kind: "abroad", country: "AQ" }, 0],
] as const)("delivery to %s", (_, destination, cents) => {
  expect(shippingCost(destination, rates)).toBe(cents);
});

test.each([
  ["2026-11-22", "nigeria", "27 November to 4 December"], // a Sunday
  ["2026-11-20", "nigeria", "27 November to 4 December"], // the Friday before
  ["2026-11-02", "nigeria", "9 to 16 November"],
  ["2026-12-18", "nigeria", "25 December to 1 January"],
  ["2026-11-23", "abroad", "4 to 16 December"],
] as const)("what is ordered on %s arrives, %s, on business days: %s", (day, way, text) => {
  expect(arrivalDates(new Date(`${day}T15:00:00Z`), "Africa/Lagos")[way]).toBe(text);
});

test("what is still needed is named in the order of the form, and what is wrong in it", () => {
  const blank = shippingFields(() => "");
  const labels = (fields: Partial<ShippingFields>, errors = {}) =>
    stillNeeded({ ...blank, ...fields }, rates, errors).map(({ label }) => label);
  expect(labels({ country: "Nigeria", firstName: "Ada", lastName: "Obi", email: "a@b.co" })).toEqual([
    "your delivery type",
    "your phone number",
  ]);
  expect(labels({ ...lagosForm, state: "", phoneNumber: "0803" }, { phoneNumber: "wrong" })).toEqual([
    "your state",
    "a valid phone number",
  ]);
  expect(labels(lagosForm)).toEqual([]);
});

test("a place chosen on another page fills the form, where it is still offered", () => {
  const named = (key: string) => fieldsOfPlace(key, rates);
  expect(named("home Lagos")).toEqual({ country: "Nigeria", deliveryType: "Home Delivery", state: "Lagos" });
  expect(named("pickup Yaba")).toEqual({ country: "Nigeria", deliveryType: "Pick-up", pickupCenter: "Yaba" });
  expect(named("abroad GB")).toEqual({ country: "United Kingdom" });
  for (const key of ["home Kano", "pickup Surulere", "abroad FR", "", "Lagos"]) expect(named(key)).toEqual({});
});

describe("Pay Now is enabled", () => {
  const blank = Object.fromEntries(Object.keys(lagosForm).map((name) => [name, ""])) as ShippingFields;
  const person = { firstName: "Ada", lastName: "Obi", email: "a@b.co", phoneNumber: "08031234567" };
  const abroad = { address: "1 High St", city: "London", state: "London", postalCode: "E1 6AN" };
  test.each<[string, Partial<ShippingFields>, boolean]>([
    ["nothing", {}, false],
    ["no country", person, false],
    ["Nigeria without delivery type", { ...person, country: "Nigeria", address: "1 Broad St", state: "Lagos" }, false],
    [
      "home delivery",
      { ...person, country: "Nigeria", deliveryType: "Home Delivery", address: "1", state: "Lagos" },
      true,
    ],
    [
      "home delivery without state",
      { ...person, country: "Nigeria", deliveryType: "Home Delivery", address: "1" },
      false,
    ],
    [
      "home delivery without phone",
      { ...person, phoneNumber: " ", country: "NG", deliveryType: "Home Delivery", address: "1", state: "Lagos" },
      false,
    ],
    ["pick-up", { ...person, country: "NG", deliveryType: "Pick-up", pickupCenter: "Yaba" }, true],
    ["pick-up without center", { ...person, country: "Nigeria", deliveryType: "Pick-up" }, false],
    ["abroad", { ...person, ...abroad, country: "United Kingdom" }, true],
    ["abroad without postal code", { ...person, ...abroad, postalCode: "", country: "GB" }, false],
  ])("with %s: %s", (_, fields, complete) => {
    expect(isComplete({ ...blank, ...fields }, rates)).toBe(complete);
  });
});

test.each([
  ["08031234567", "08031234567"],
  ["0803 123 4567", "08031234567"],
  ["0803-123-4567", "08031234567"],
  ["+234 803 123 4567", "08031234567"],
  ["+2348031234567", "08031234567"],
  ["+234 0803 123 4567", "08031234567"],
  ["2348031234567", "08031234567"],
  ["(0803) 123.4567", "08031234567"],
  ["8031234567", "08031234567"],
  ["01 234 5678", "012345678"],
  ["+44 7911 123456", "+447911123456"],
  ["phone", "phone"],
])("%s is %s", (written, normalized) => {
  expect(normalizeNigerianPhone(written)).toBe(normalized);
  expect(isNigerianPhone(normalized)).toBe(normalized === "08031234567");
});

test.each([
  ["US", "10001", true],
  ["US", "10001-1234", true],
  ["US", "E1 6AN", false],
  ["DE", "10115", true],
  ["DE", "abc", false],
  ["GB", "E1 6AN", true],
  ["CA", "K1A 0B1", true],
  ["NL", "1012 AB", true],
  ["IE", "D02 AF30", true],
  ["AE", "00000", true],
  ["KY", "KY1-1100", true],
  ["VG", "VG1110", true],
  ["VC", "VC0100", true],
  ["AI", "AI-2640", true],
  ["TC", "TKCA 1ZZ", true],
  ["FK", "FIQQ 1ZZ", true],
  ["SH", "STHL 1ZZ", true],
  ["IO", "BBND 1ZZ", true],
  ["SO", "JH 09010", true],
  ["LC", "LC04 101", true],
  ["MS", "MSR 1110", true],
  ["LV", "LV-1010", true],
  ["LT", "LT-01100", true],
  ["MD", "MD-2001", true],
  ["AZ", "AZ 1000", true],
  ["AR", "C1425", true],
  ["KZ", "A26F8E8", true],
  ["WS", "WS1382", true],
  ["HK", "NONE", true],
  ["AO", "none", true],
  ["BS", "N-4865", true],
  ["ZW", "none", true],
  ["FR", "75001", true],
  ["FR", "F75001", false],
  ["JP", "100-0001", true],
  ["PT", "1000-001", true],
  ["IT", "none", false],
  ["IN", "110001", true],
  ["ZA", "none", false],
  ["GB", "<script>", false],
  ["US", "", false],
])("in %s %j is a postal code: %s", (country, text, is) => {
  expect(isPostalCode(text, country)).toBe(is);
});
