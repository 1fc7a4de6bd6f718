import { describe, expect, test } from "vitest";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { lagosForm } from "#tests/support/shop.ts";
import { arrivalDates, deliveryWindow } from "./business-days.ts";
import { checkShipping, stillNeeded } from "./check.ts";
import { dayRange, inBusinessDays } from "./delivery-time.ts";
import { isNigerianPhone, normalizeNigerianPhone } from "./phone.ts";
import { fieldsOfPlace } from "./place/places.ts";
import { isPostalCode, postalCodeNeed } from "./postal-code.ts";
import {
  destinationOf,
  isComplete,
  isNigeria,
  locationOf,
  rateShown,
  type ShippingFields,
  type ShippingRates,
  shippingCost,
  shippingFields,
} from "./shipping.ts";
import { governmentsOf, knownState, stateNamed } from "./state-names.ts";

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
  ["an unknown state", { kind: "home", state: "Atlantis" }, 0],
  ["a pick-up center", { kind: "pickup", center: "Yaba" }, 200],
  ["a center that is no more", { kind: "pickup", center: "Surulere" }, 0],
  ["a country", { kind: "abroad", country: "GB" }, 2800],
  ["a country without a rate", { kind: "abroad", country: "AQ" }, 0],
] as const)("delivery to %s", (_, destination, cents) => {
  expect(shippingCost(destination, rates)).toBe(cents);
});

test.each([
  [0, "USD", "free"],
  [350, "USD", "$3.50, ≈ ₦5,600"],
  [350, "NGN", "₦5,600, $3.50"],
] as const)("a rate of %i cents is shown in %s as %s", (cents, currency, shown) => {
  expect(rateShown(usdCents(cents), FALLBACK_RATE, currency)).toBe(shown);
});

test.each([
  [
    { country: "Nigeria", deliveryType: "Home Delivery", state: "Lagos" },
    { kind: "home", state: "Lagos" },
  ],
  [{ country: "Nigeria", deliveryType: "Home Delivery", pickupCenter: "Yaba" }, undefined],
  [
    { country: "Nigeria", deliveryType: "Pick-up", pickupCenter: "Yaba" },
    { kind: "pickup", center: "Yaba" },
  ],
  [{ country: "Nigeria", deliveryType: "Pick-up", state: "Lagos" }, undefined],
  [{ country: "Nigeria", state: "Lagos", pickupCenter: "Yaba" }, undefined],
  [
    { country: "United Kingdom", state: "Lagos" },
    { kind: "abroad", country: "GB" },
  ],
  [{ country: "Atlantis", deliveryType: "Home Delivery", state: "Lagos" }, undefined],
])("a form with %o goes to %o", (fields, destination) => {
  expect(destinationOf({ ...shippingFields(() => ""), ...fields }, rates)).toEqual(destination);
});

test.each([
  ["Nigeria", true],
  [" ng ", true],
  ["Nigeria (Lagos)", false],
  ["near Nigeria", false],
  ["Niger", false],
])("“%s” is Nigeria: %s", (country, is) => {
  expect(isNigeria(country)).toBe(is);
});

test.each([
  ["Lagos", "Lagos"],
  ["(Lagos)", "Lagos"],
  ["LAGOS STATE", "Lagos"],
  ["Akwa - Ibom", "Akwa Ibom"],
  ["Akwa State Ibom", undefined],
  ["Atlantis", undefined],
  ["", undefined],
  ["?!", undefined],
])("“%s” is the state %s", (name, state) => {
  expect(knownState(name)).toBe(state);
});

test.each([
  [{ kind: "home", state: "Lagos" }, "Nigeria", "Lagos"],
  [{ kind: "pickup", center: "Yaba" }, "Nigeria", "Yaba"],
  [{ kind: "abroad", country: "GH" }, "Ghana", "Ghana"],
] as const)("the place of %j in %s is called %s", (destination, country, name) => {
  expect(locationOf(destination, country)).toBe(name);
});

test("an unknown state's name does not find a place with another unknown name", () => {
  expect(stateNamed([{ name: "Atlantis" }], "Elsewhere")).toBeUndefined();
});

test("a state's local governments are found under any of its names", () => {
  expect(governmentsOf("Lagos State")).toEqual(governmentsOf("Lagos"));
  expect(governmentsOf("Lagos")).toContain("Ikeja");
  expect(governmentsOf("Atlantis")).toEqual([]);
});

test("delivery days are written as a range, or in words", () => {
  expect(dayRange({ from: 3, to: 7 })).toBe("3-7");
  expect(inBusinessDays({ from: 3, to: 7 })).toBe("3 to 7 business days");
});

test.each([
  ["has not left", null, ["2026-11-05", "2026-11-09", "2026-11-16"]],
  ["left in time", "2026-11-03", ["2026-11-05", "2026-11-09", "2026-11-16"]],
  ["left on the last day", "2026-11-05", ["2026-11-05", "2026-11-09", "2026-11-16"]],
  ["left late", "2026-11-06", ["2026-11-06", "2026-11-11", "2026-11-17"]],
])(
  "an order of a Monday that %s: the days count from the promised day, or from the day on which it left",
  (_, sent, days) => {
    const at = (day: string) => new Date(`${day}T12:00:00Z`);
    const dated = { orderedAt: at("2026-11-02"), sentAt: sent === null ? null : at(sent), country: "Nigeria" };
    expect(Object.values(deliveryWindow({ ...dated, numbers: SHIPPED_NUMBERS }, "Africa/Lagos")).map(String)).toEqual(
      days,
    );
  },
);

test.each([
  ["2026-11-22", "nigeria", "27 November to 4 December"], // a Sunday
  ["2026-11-20", "nigeria", "27 November to 4 December"], // the Friday before
  ["2026-11-02", "nigeria", "9 to 16 November"],
  ["2026-12-18", "nigeria", "25 December to 1 January"],
  ["2026-11-23", "abroad", "4 to 16 December"],
] as const)("what is ordered on %s arrives, %s, on business days: %s", (day, way, text) => {
  expect(arrivalDates(new Date(`${day}T15:00:00Z`), "Africa/Lagos", SHIPPED_NUMBERS)[way]).toBe(text);
});

test("an order that is packed later leaves and arrives later", () => {
  const dated = { orderedAt: new Date("2026-11-02T12:00:00Z"), sentAt: null, country: "Nigeria" };
  const days = deliveryWindow({ ...dated, numbers: { ...SHIPPED_NUMBERS, packFrom: 4, packTo: 6 } }, "Africa/Lagos");
  expect(Object.values(days).map(String)).toEqual(["2026-11-10", "2026-11-11", "2026-11-19"]);
});

test("an order with a longer way leaves as early, and arrives later", () => {
  const dated = { orderedAt: new Date("2026-11-02T12:00:00Z"), sentAt: null };
  const numbers = { ...SHIPPED_NUMBERS, nigeriaFrom: 4, nigeriaTo: 9, abroadFrom: 8, abroadTo: 15 };
  const daysTo = (country: string) =>
    Object.values(deliveryWindow({ ...dated, country, numbers }, "Africa/Lagos")).map(String);
  expect(daysTo("Nigeria")).toEqual(["2026-11-05", "2026-11-10", "2026-11-18"]);
  expect(daysTo("Ghana")).toEqual(["2026-11-05", "2026-11-16", "2026-11-26"]);
});

test("missing and wrong fields are named in the order of the form", () => {
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
  expect(labels({ ...lagosForm, state: " ", address: "  " })).toEqual(["your state", "your address"]);
});

describe("while somebody types, a field", () => {
  const problems = (fields: Partial<ShippingFields>) =>
    checkShipping({ ...lagosForm, ...fields }, rates, () => true).errors;
  const pickup = { deliveryType: "Pick-up", pickupCenter: " Yaba " };
  const noName = "Please enter a name without web addresses, and with a space after each dot.";
  test.each<[string, Partial<ShippingFields>, Partial<ShippingFields>]>([
    ["of spaces is empty", { address: "  " }, { address: "Please enter your address." }],
    ["of spaces that may be empty is right", { landmark: "  " }, {}],
    ["may have spaces around what is right", { ...pickup, email: " ada@example.com " }, {}],
    ["may be as long as it may be", { address: "x".repeat(200), firstName: "x".repeat(100) }, {}],
    [
      "may not be longer",
      { address: "x".repeat(201), firstName: "x".repeat(101) },
      { address: "That is too long.", firstName: "That is too long." },
    ],
    [
      "of a name has no web address",
      { firstName: "www.example.com", lastName: "https://example.com" },
      { firstName: noName, lastName: noName },
    ],
  ])("%s", (_, fields, errors) => {
    expect(problems(fields)).toEqual(errors);
  });
});

test("a place chosen on another page is filled in if it is still offered", () => {
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
    ["a country without delivery", { ...person, country: "Atlantis" }, false],
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
  ["002348031234567", "08031234567"],
  ["+23480312345678", "+23480312345678"],
  ["803123456789", "803123456789"],
  ["080312345678", "080312345678"],
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
  ["US", "10001 <b", false],
  ["US", "1abc", false],
  ["US", "1 0 001", true],
  ["GB", "E1 6AN <b", false],
  ["GB", "(E1 6AN", false],
])("in %s %j is a postal code: %s", (country, text, is) => {
  expect(isPostalCode(text, country)).toBe(is);
});

test.each([
  ["AE", "none"],
  ["KE", "optional"],
  ["GB", "required"],
])("in %s a postal code is %s", (country, need) => {
  expect(postalCodeNeed(country)).toBe(need);
});
