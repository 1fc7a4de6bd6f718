import { describe, expect, test } from "vitest";
import { doingsOf, type OrderFacts } from "./doings.ts";

const at = new Date("2026-11-26T12:00:00Z");
const paid: OrderFacts = {
  state: "sold",
  isGivenBack: false,
  hasPieces: true,
  isPickUp: false,
  isDisputed: false,
  packedAt: null,
  fulfilledAt: null,
  readyAt: null,
  deliveredAt: null,
  returnedAt: null,
};
const pickUp = { ...paid, isPickUp: true };
const sent = { ...paid, fulfilledAt: at };

describe("what can be done with an order", () => {
  test.each<[string, OrderFacts, string | undefined, string]>([
    ["unpaid", { ...paid, state: "open" }, undefined, "cancel"],
    ["unpaid, put together by staff", { ...paid, state: "open", isByStaff: true }, undefined, "paid cancel"],
    [
      "with money to give back by hand",
      { ...paid, isToGive: true },
      "pack",
      "given send refund give address mail cancel",
    ],
    ["given back, but not yet by hand", { ...paid, state: "refunding", isToGive: true }, undefined, "given mail"],
    ["never paid", { ...paid, state: "released" }, undefined, "mail"],
    ["paid", paid, "pack", "send refund give address mail cancel"],
    ["paid, picked up", pickUp, "pack", "ready send refund give address mail cancel"],
    [
      "paid, with another size in stock",
      { ...paid, hasOtherSize: true },
      "pack",
      "send refund give size address mail cancel",
    ],
    [
      "packed, with another size in stock",
      { ...paid, hasOtherSize: true, packedAt: at },
      "send",
      "refund give address mail cancel",
    ],
    ["packed", { ...paid, packedAt: at }, "send", "refund give address mail cancel"],
    ["packed, picked up", { ...pickUp, packedAt: at }, "ready", "send refund give address mail cancel"],
    ["sent", sent, "deliver", "send refund give mail return"],
    ["on its way to its centre", { ...sent, isPickUp: true }, "ready", "send refund give mail return"],
    ["ready", { ...pickUp, readyAt: at }, "deliver", "refund give mail return"],
    [
      "41 delivered: that it came back is never first",
      { ...sent, deliveredAt: at },
      undefined,
      "refund give mail return",
    ],
    ["delivered, and given back", { ...sent, deliveredAt: at, isGivenBack: true }, undefined, "mail return"],
    ["come back", { ...sent, returnedAt: at }, undefined, "refund give mail"],
    ["given back before it left", { ...paid, isGivenBack: true }, undefined, "mail"],
    ["without a piece that is left", { ...paid, hasPieces: false }, undefined, "refund give mail cancel"],
    ["40 disputed", { ...paid, isDisputed: true }, undefined, "send refund give address mail cancel"],
    [
      "40 disputed when it was packed",
      { ...pickUp, packedAt: at, isDisputed: true },
      undefined,
      "ready send refund give address mail cancel",
    ],
    ["disputed after it left", { ...sent, isDisputed: true }, "deliver", "send refund give mail return"],
  ])("%s", (_, order, first, rest) => {
    const { next, others } = doingsOf(order);
    expect(next && ("panel" in next ? next.panel : next.intent)).toBe(first);
    expect(others.map(({ panel }) => panel).join(" ")).toBe(rest);
  });
});
