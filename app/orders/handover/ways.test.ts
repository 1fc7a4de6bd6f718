import { expect, test } from "vitest";
import { handoverWay } from "./ways.ts";

const express = { id: "7", name: "Express", fromDays: 1, toDays: 2, orderBy: "" };

test.each([
  ["standard", { country: "Nigeria", pickupCenter: "" }],
  ["pick-up", { country: "Nigeria", pickupCenter: "Surulere" }],
  ["7", { country: "Nigeria", pickupCenter: "", deliveryWay: express }],
  ["7", { country: "Ghana", pickupCenter: "", deliveryWay: express }],
  [undefined, { country: "Ghana", pickupCenter: "" }],
])("%s is the way of %j", (way, shipping) => {
  expect(handoverWay(shipping)).toBe(way);
});
