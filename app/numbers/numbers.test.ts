import { expect, test } from "vitest";
import { type Numbers, orderNumbers, ownNumbers, SHIPPED_NUMBERS } from "./numbers.ts";

const OWN: Numbers = {
  ...{ returnDays: 30, damageHours: 72, refundDays: 1 },
  ...{ packFrom: 3, packTo: 6, nigeriaFrom: 3, nigeriaTo: 6, abroadFrom: 9, abroadTo: 21 },
};

test("numbers that all equal the shop's defaults count as none of the owner's", () => {
  expect(ownNumbers({ ...SHIPPED_NUMBERS })).toBeUndefined();
  expect(ownNumbers({ returnDays: null })).toBeUndefined();
  expect(ownNumbers({ refundDays: 5 })).toEqual({ ...SHIPPED_NUMBERS, refundDays: 5 });
});

test.each<[string, Parameters<typeof orderNumbers>[0], Partial<Numbers>]>([
  ["before there were any", [null, null], {}],
  ["of before, under longer ones, packed and paid back as promised", [null, OWN], { returnDays: 30, damageHours: 72 }],
  ["of longer ones, which were shortened", [OWN, null], OWN],
  ["of shorter ones, which went back", [{ returnDays: 7 }, null], {}],
  ["of some, under others", [{ returnDays: 60 }, { returnDays: 30, damageHours: 24 }], { returnDays: 60 }],
])("an order %s", (_, numbers, own) => {
  expect(orderNumbers(numbers)).toEqual({ ...SHIPPED_NUMBERS, ...own });
});
