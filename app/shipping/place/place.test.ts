import { expect, test } from "vitest";
import { usdCents } from "#app/money/money.ts";
import { deliveryName, isOfKind, orderDeliveryName } from "./place.ts";
import { placeKey, placesOf } from "./places.ts";

const bare = { state: "", address: "", landmark: "", hours: "", bring: "" };

test("every place with a price is offered, named by its kind", () => {
  const places = placesOf({
    states: [{ name: "Kano" }, { name: "Lagos", rateCents: usdCents(350) }],
    pickups: [{ ...bare, name: "Yaba", rateCents: usdCents(200) }],
    countries: [{ code: "GB", name: "United Kingdom", rateCents: usdCents(2800) }],
  });
  expect(places).toEqual([
    { key: "home Lagos", name: "Lagos", rateCents: 350 },
    { key: "pickup Yaba", name: "Yaba", rateCents: 200 },
    { key: "abroad GB", name: "United Kingdom", rateCents: 2800 },
  ]);
  const kinds = ["home", "pickup", "abroad"] as const;
  expect(places.map((place) => kinds.filter((kind) => isOfKind(place, kind)))).toEqual(kinds.map((kind) => [kind]));
});

test.each([
  [{ kind: "home", state: "Lagos" }, "home Lagos"],
  [{ kind: "pickup", center: "Yaba" }, "pickup Yaba"],
  [{ kind: "abroad", country: "GB" }, "abroad GB"],
] as const)("%o has the key %s", (destination, key) => {
  expect(placeKey(destination)).toBe(key);
});

test.each([
  ["home", "Lagos", "Delivery to Lagos"],
  ["abroad", "Ghana", "Delivery to Ghana"],
  ["pickup", "Yaba", "Pick-up at Yaba"],
  ["pickup", "", "Delivery"],
] as const)("%s “%s” is called %s", (kind, place, name) => {
  expect(deliveryName(kind, place)).toBe(name);
});

test.each([
  [{ country: "Nigeria", state: "Lagos", pickupCenter: "" }, "Delivery to Lagos"],
  [{ country: "Nigeria", state: "Lagos", pickupCenter: "Yaba" }, "Pick-up at Yaba"],
  [{ country: "Ghana", state: "Ashanti", pickupCenter: "" }, "Delivery to Ghana"],
])("an order with %o is called %s", (fields, name) => {
  expect(orderDeliveryName(fields)).toBe(name);
});
