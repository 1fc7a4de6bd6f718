import { describe, expect, test } from "vitest";
import { usdCents } from "#app/money/money.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { deliveryWindow } from "../business-days.ts";
import type { DeliveryWay, Destination } from "../shipping.ts";
import { wayText } from "./text.ts";
import { costOf, deliveryToPay, waysTo, wayTo } from "./ways.ts";

const way = (id: string, places: string[], cents: number): DeliveryWay => {
  return { id, name: `Way ${id}`, places, rateCents: usdCents(cents), fromDays: 1, toDays: 2, orderBy: "14:00" };
};
const rates = {
  states: [{ name: "Lagos", rateCents: usdCents(350) }],
  pickups: [],
  countries: [{ code: "GH", name: "Ghana", rateCents: usdCents(2000) }],
  ways: [
    way("1", ["state Lagos State"], 600),
    way("2", ["country NG"], 900),
    way("3", ["country GH", "state Ogun"], 4000),
  ],
};
const lagos: Destination = { kind: "home", state: "Lagos" };

test.each<[Destination, string[]]>([
  [lagos, ["1", "2"]],
  [{ kind: "home", state: "Ogun" }, ["2", "3"]],
  [{ kind: "home", state: "Kano" }, ["2"]],
  [{ kind: "abroad", country: "GH" }, ["3"]],
  [{ kind: "abroad", country: "GB" }, []],
  [{ kind: "pickup", center: "Lagos" }, []],
])("the ways to %o are %j", (destination, ids) => {
  expect(waysTo(destination, rates).map(({ id }) => id)).toEqual(ids);
});

test("a way has its own price where it is offered; elsewhere the standard rate applies", () => {
  expect(costOf(lagos, rates, "1")).toBe(600);
  expect(costOf(lagos, rates, "3")).toBe(350);
  expect(costOf(lagos, rates, "")).toBe(350);
  expect(wayTo(lagos, rates, "3")).toBeUndefined();
  expect(wayTo(lagos, rates, "")).toBeUndefined();
});

test.each([
  [350, undefined, false, 350],
  [350, undefined, true, 0],
  [600, 350, false, 600],
  [600, 350, true, 250],
  [200, 350, true, 0],
])("delivery for %i where the standard is %j, free: %j, costs %i", (cents, standard, isFree, toPay) => {
  const standardCents = standard === undefined ? undefined : usdCents(standard);
  expect(deliveryToPay({ shippingCents: usdCents(cents), standardCents }, isFree)).toBe(toPay);
});

test.each([
  [{ fromDays: 0, toDays: 0 }, "Rider, same day"],
  [{ fromDays: 1, toDays: 1 }, "Rider, 1 business day"],
  [{ fromDays: 1, toDays: 3 }, "Rider, 1 to 3 business days"],
])("%o reads %s", (days, text) => {
  expect(wayText({ name: "Rider", ...days })).toBe(text);
});

describe("an order's days, in Lagos", () => {
  const windowOf = (
    orderedAt: string,
    sentAt: string | null = null,
    way = { fromDays: 1, toDays: 2, orderBy: "14:00" },
  ) => {
    const times = { orderedAt: new Date(orderedAt), sentAt: sentAt ? new Date(sentAt) : null };
    const { leavesBy, from, to } = deliveryWindow(
      { ...times, country: "Nigeria", way, numbers: SHIPPED_NUMBERS },
      "Africa/Lagos",
    );
    return [`${leavesBy}`, `${from}`, `${to}`];
  };
  test.each([
    ["by the last time of order", "2026-11-24T13:00:00Z", ["2026-11-25", "2026-11-25", "2026-11-26"]],
    ["a minute later", "2026-11-24T13:01:00Z", ["2026-11-26", "2026-11-26", "2026-11-27"]],
    ["on Friday, too late", "2026-11-27T15:00:00Z", ["2026-12-01", "2026-12-01", "2026-12-02"]],
    ["on Saturday", "2026-11-28T08:00:00Z", ["2026-12-01", "2026-12-01", "2026-12-02"]],
  ])("%s", (_, orderedAt, days) => {
    expect(windowOf(orderedAt)).toEqual(days);
  });

  test("of an order that leaves late end later, too", () => {
    const way = { fromDays: 4, toDays: 6, orderBy: "" };
    expect(windowOf("2026-11-23T08:00:00Z", null, way)).toEqual(["2026-11-26", "2026-11-27", "2026-12-01"]);
    expect(windowOf("2026-11-23T08:00:00Z", "2026-11-30T08:00:00Z", way)).toEqual([
      "2026-11-30",
      "2026-12-01",
      "2026-12-03",
    ]);
  });
});
