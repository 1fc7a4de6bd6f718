import { describe, expect, test } from "vitest";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import type { ReturnReason } from "./return.ts";
import {
  deliveryOf,
  overdueBefore,
  planReturn,
  type ReturnFault,
  refundDueBy,
  returnablePieces,
  returnDeadlines,
  type WantedPiece,
} from "./rules.ts";

const ZONE = "Africa/Lagos";
const at = (text: string) => new Date(`${text}+01:00`);
const never = { packedAt: null, fulfilledAt: null, readyAt: null, deliveredAt: null, returnedAt: null };

describe("the day of delivery", () => {
  const nigeria = { shipping: { country: "Nigeria" } };
  const abroad = { shipping: { country: "Ghana" } };
  test.each([
    ["is the reported one", { ...never, ...nigeria, deliveredAt: at("2026-11-05T23:30") }, "2026-11-05"],
    ["is sent + 7 business days", { ...never, ...nigeria, fulfilledAt: at("2026-11-02T09:00") }, "2026-11-11"],
    ["is sent + 14 business days abroad", { ...never, ...abroad, fulfilledAt: at("2026-11-02T09:00") }, "2026-11-20"],
    ["counts from when it was ready", { ...never, ...nigeria, readyAt: at("2026-11-06T09:00") }, "2026-11-17"],
    ["is unknown while it is here", { ...never, ...nigeria }, undefined],
  ])("%s", (_, sold, day) => {
    expect(deliveryOf(sold, ZONE, SHIPPED_NUMBERS)?.day.toString()).toBe(day);
  });
});

describe("the window", () => {
  const said = { day: Temporal.PlainDate.from("2026-11-05"), at: at("2026-11-05T10:00") };
  const reckoned = { ...said, at: null };
  test.each([
    [said, "2026-11-05T11:00", true, true],
    [said, "2026-11-07T10:00", true, true],
    [said, "2026-11-07T10:01", true, false],
    [reckoned, "2026-11-07T23:59", true, true],
    [reckoned, "2026-11-08T00:01", true, false],
    [said, "2026-11-19T23:59", true, false],
    [said, "2026-11-20T00:00", false, false],
    [said, "2026-11-01T00:00", true, true],
  ])("%j at %s: open %s, for damage %s", (delivery, now, isOpen, isOpenForDamage) => {
    expect(returnDeadlines(delivery, at(now), ZONE, SHIPPED_NUMBERS)).toMatchObject({ isOpen, isOpenForDamage });
  });
});

test("the refund is due 7 business days after the pieces arrived, until the end of that day", () => {
  const since = at("2026-11-05T20:00"); // a Thursday
  expect(refundDueBy(since, ZONE, SHIPPED_NUMBERS).toString()).toBe("2026-11-16");
  const isOverdue = (now: string) => since < overdueBefore(at(now), ZONE, SHIPPED_NUMBERS);
  expect([isOverdue("2026-11-16T23:59"), isOverdue("2026-11-17T00:00")]).toEqual([false, true]);
  expect(overdueBefore(at("2026-11-17T12:00"), ZONE, SHIPPED_NUMBERS)).toEqual(at("2026-11-06T00:00"));
});

test("returnable pieces are those bought, without those being returned or refunded", () => {
  const lines = [
    { productId: "a", size: "M", quantity: 2 },
    { productId: "a", size: "L", quantity: 1 },
    { productId: "a", size: "M", quantity: 1 },
  ];
  const back = [
    { productId: "a", size: "M", quantity: 1 },
    { productId: "a", size: "M", quantity: 1 },
    { productId: "a", size: "L", quantity: 1 },
  ];
  expect(returnablePieces(lines, back).map(({ quantity }) => quantity)).toEqual([0, 0, 1]);
});

describe("a request", () => {
  const open = {
    until: Temporal.PlainDate.from("2026-11-19"),
    isOpen: true,
    damageUntil: new Date(),
    isOpenForDamage: true,
  };
  const order = {
    lines: [
      { productId: "jersey", size: "M", quantity: 2 },
      { productId: "cap", size: "ONE", quantity: 1, finalSale: true },
      { productId: "jersey", size: "L", quantity: 1, finalSale: true },
      { productId: "jersey", size: "L", quantity: 1, finalSale: false },
    ],
    sizes: [
      { productId: "jersey", size: "M", available: 3 },
      { productId: "jersey", size: "L", available: 1 },
      { productId: "cap", size: "ONE", available: 0 },
    ],
    deadlines: open,
  };
  const jersey = (newSize: string | null, quantity = 1): WantedPiece => ({
    productId: "jersey",
    size: "M",
    quantity,
    newSize,
  });
  const cap: WantedPiece = { productId: "cap", size: "ONE", quantity: 1, newSize: null };

  test.each<[string, WantedPiece[], ReturnReason, ReturnFault | string[], object?]>([
    ["for money", [jersey(null, 2)], "unwanted", ["money"]],
    ["for another size", [jersey("L")], "size", ["exchange"]],
    ["for the same size, broken", [jersey("M")], "damaged", ["exchange"]],
    ["for the same size, without a reason", [jersey("M")], "size", "same-size"],
    ["of nothing", [], "size", "no-pieces"],
    ["of more than were bought", [jersey(null, 3)], "size", "too-many"],
    ["of less than one", [jersey(null, 0)], "size", "too-many"],
    ["of another's piece", [{ ...jersey(null), productId: "tee" }], "size", "too-many"],
    ["for a size that is sold out", [jersey("L", 2)], "size", "sold-out"],
    ["for a size that there is not", [jersey("XXL")], "size", "not-that-size"],
    ["of a final sale", [cap], "unwanted", "final-sale"],
    ["of a size that was bought in a final sale too", [{ ...jersey(null), size: "L" }], "unwanted", "final-sale"],
    ["for a size that only another product has", [{ ...cap, newSize: "L" }], "damaged", "not-that-size"],
    ["of a final sale that came broken", [cap], "damaged", ["money"]],
    ["of damage after 48 hours", [jersey(null)], "damaged", "too-late-for-damage", { ...open, isOpenForDamage: false }],
    ["of another kind after 48 hours", [jersey(null)], "size", ["money"], { ...open, isOpenForDamage: false }],
    ["after 14 days", [jersey(null)], "size", "too-late", { ...open, isOpen: false, isOpenForDamage: false }],
  ])("%s", (_, pieces, reason, comesTo, deadlines = open) => {
    const plan = planReturn({ ...order, deadlines: deadlines as typeof open }, { pieces, reason, words: "a tear" });
    expect(plan.ok ? plan.parts.map(({ wish }) => wish) : plan.fault).toEqual(comesTo);
  });

  test("has the index of the piece at fault, and requires words about damage", () => {
    const two = [jersey(null), { ...cap, quantity: 2 }];
    expect(planReturn(order, { pieces: two, reason: "size", words: "" })).toMatchObject({ at: 1 });
    expect(planReturn(order, { pieces: [jersey(null)], reason: "wrong", words: " " })).toMatchObject({
      fault: "no-words",
    });
  });

  test("for money and another size makes two returns", () => {
    const pieces = [jersey("L"), { ...jersey(null), size: "M" }];
    const plan = planReturn(order, { pieces, reason: "size", words: "" });
    expect(plan.ok && plan.parts.map(({ wish, pieces }) => [wish, pieces.length])).toEqual([
      ["money", 1],
      ["exchange", 1],
    ]);
  });
});
