import { expect, test } from "vitest";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { returnPolicy } from "./policy.ts";

const ZONE = "Africa/Lagos";
const at = (time: string) => new Date(`${time}+01:00`);
const sent = { packedAt: null, readyAt: null, returnedAt: null, shipping: { country: "Nigeria" } };
const delivered = { ...sent, fulfilledAt: at("2026-11-16T10:00"), deliveredAt: at("2026-11-20T16:10") };
const asked = { ...delivered, askedAt: at("2026-11-21T13:30"), reason: "damaged" as const, isFinalSale: false };

test("damage that is reported a day after the delivery is within the rules", () => {
  expect(returnPolicy(asked, ZONE, SHIPPED_NUMBERS)).toEqual({
    deliveredAt: delivered.deliveredAt,
    deliveredBy: "2026-11-20",
    days: 1,
    daysAllowed: 14,
    isInTime: true,
    damage: { until: at("2026-11-22T16:10"), hours: 21, hoursAllowed: 48, isInTime: true },
    isFinalSale: false,
    isWithin: true,
  });
});

test.each([
  ["damage after 48 hours", { askedAt: at("2026-11-22T16:11") }, false],
  ["another reason after 48 hours", { askedAt: at("2026-11-23T09:00"), reason: "size" }, true],
  ["on the last day", { askedAt: at("2026-12-04T23:59"), reason: "size" }, true],
  ["after the last day", { askedAt: at("2026-12-05T00:00"), reason: "size" }, false],
  ["a final sale that is not liked", { reason: "unwanted", isFinalSale: true }, false],
  ["a final sale that came broken", { isFinalSale: true }, true],
] as const)("%s", (_, change, isWithin) => {
  expect(returnPolicy({ ...asked, ...change }, ZONE, SHIPPED_NUMBERS)?.isWithin).toBe(isWithin);
});

test("without a reported delivery the last expected day counts", () => {
  const unknown = { ...asked, deliveredAt: null };
  expect(returnPolicy(unknown, ZONE, SHIPPED_NUMBERS)).toMatchObject({
    deliveredBy: "2026-11-25",
    days: -4,
    damage: { hours: null },
  });
  expect(returnPolicy({ ...unknown, fulfilledAt: null }, ZONE, SHIPPED_NUMBERS)).toBeUndefined();
});
