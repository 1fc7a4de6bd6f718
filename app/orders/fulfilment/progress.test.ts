import { describe, expect, test } from "vitest";
import { dayWords } from "./days.ts";
import { isStillHere, progressOf, type TrackedOrder } from "./progress.ts";

const LAGOS = "Africa/Lagos";
const at = (time: string) => new Date(`2026-11-${time}+01:00`);
const NOW = at("22T18:00");

/** An order paid on a Sunday, for delivery in Nigeria. */
const paid: TrackedOrder = {
  orderedAt: at("22T14:36"),
  packedAt: null,
  fulfilledAt: null,
  readyAt: null,
  deliveredAt: null,
  returnedAt: null,
  carrier: null,
  shipping: { country: "Nigeria", pickupCenter: "" },
};
const pickUp = { ...paid, shipping: { country: "Nigeria", pickupCenter: "Surulere" } };
const packedAt = at("24T11:20");
const fulfilledAt = at("25T09:05");
const readyAt = at("26T16:40");

describe("the progress of an order in one sentence", () => {
  test.each<[string, TrackedOrder, Date, string, string]>([
    ["paid", paid, NOW, "Paid. We’re packing it.", "It leaves us by Wednesday 25 November"],
    ["packed", { ...paid, packedAt }, packedAt, "Packed. Waiting for the carrier.", "It leaves us by Wednesday 25 Nov"],
    ["sent", { ...paid, fulfilledAt }, fulfilledAt, "On its way to you.", "Between 27 November and 4 December"],
    ["delivered", { ...paid, deliveredAt: readyAt }, readyAt, "Delivered.", "On Thursday 26 November"],
    ["packed for a pick-up", { ...pickUp, packedAt }, packedAt, "Packed. Next it goes to Surulere.", "It leaves us by"],
    [
      "sent to a pick-up",
      { ...pickUp, fulfilledAt },
      fulfilledAt,
      "On its way to Surulere.",
      "Between 27 November and",
    ],
    ["ready", { ...pickUp, readyAt }, readyAt, "Ready for you at Surulere.", "Since Thursday 26 November"],
    ["picked up", { ...pickUp, readyAt, deliveredAt: readyAt }, readyAt, "Picked up.", "On Thursday 26 November"],
    ["returned", { ...paid, returnedAt: readyAt }, readyAt, "Back with us.", "It came back on Thursday 26 November"],
    ["paid, on the last day", paid, at("25T23:00"), "Paid. We’re packing it.", "It leaves us by Wednesday 25 Nov"],
    ["paid for too long", paid, at("26T08:00"), "Paid. We’re packing it.", "This is taking longer than we said"],
    [
      "sent for too long",
      { ...paid, fulfilledAt },
      new Date("2026-12-05T12:00Z"),
      "On its way to you.",
      "This is taking",
    ],
    ["of another year", { ...paid, deliveredAt: readyAt }, new Date("2027-02-01"), "Delivered.", "26 November 2026"],
  ])("%s", (_, order, now, title, note) => {
    const progress = progressOf(order, now, LAGOS);
    expect(progress.title).toBe(title);
    expect(progress.note).toContain(note);
  });
});

test.each<[string, TrackedOrder, boolean]>([
  ["paid", paid, true],
  ["packed", { ...paid, packedAt }, true],
  ["sent", { ...paid, packedAt, fulfilledAt }, false],
  ["ready at its pick-up centre", { ...pickUp, readyAt }, false],
  ["delivered", { ...paid, deliveredAt: readyAt }, false],
  ["returned", { ...paid, fulfilledAt, returnedAt: readyAt }, false],
])("an order that is %s is still here: %s", (_, order, isHere) => {
  expect(isStillHere(order)).toBe(isHere);
});

describe("the steps", () => {
  const stepsOf = (order: TrackedOrder, now = NOW) =>
    progressOf(order, now, LAGOS).steps.map(({ name, text, is }) => `${is}: ${name}, ${text}`);

  test("of a delivery have days if they are to come, and times if they are done", () => {
    expect(stepsOf(paid)).toEqual([
      "past: Paid, Sunday 22 November, 14:36",
      "now: We pack it, By Wednesday 25 November",
      "ahead: Sent, We’ll email you when it’s on its way",
      "ahead: Delivered, Between 27 November and 4 December",
    ]);
    expect(stepsOf({ ...paid, packedAt, fulfilledAt, carrier: "GIG Logistics" })).toEqual([
      "past: Paid, Sunday 22 November, 14:36",
      "past: Packed, Tuesday 24 November, 11:20",
      "past: Sent with GIG Logistics, Wednesday 25 November, 09:05",
      "now: Delivered, Between 27 November and 4 December",
    ]);
  });

  test("that are done have other names", () => {
    const deliveredAt = at("27T10:00");
    const behind = (order: TrackedOrder) => progressOf(order, NOW, LAGOS).steps.map(({ name, is }) => `${is}: ${name}`);
    expect(behind({ ...paid, packedAt, fulfilledAt, deliveredAt, returnedAt: deliveredAt })).toEqual([
      "past: Paid",
      "past: Packed",
      "past: Sent",
      "past: Delivered",
      "past: Back with us",
    ]);
    expect(behind({ ...pickUp, readyAt, deliveredAt })).toEqual([
      "past: Paid",
      "past: Packed",
      "past: Ready at Surulere",
      "past: Picked up",
    ]);
    expect(behind(pickUp)).toEqual(["past: Paid", "now: We pack it", "ahead: Ready at Surulere", "ahead: Picked up"]);
  });

  test("of a pick-up end at the centre, and one without a reported time is done if a later one is", () => {
    expect(stepsOf({ ...pickUp, readyAt })).toEqual([
      "past: Paid, Sunday 22 November, 14:36",
      "past: Packed, ",
      "past: Ready at Surulere, Thursday 26 November, 16:40",
      "now: Picked up, Any time once it’s ready",
    ]);
  });

  test("of an order that was sent late count the delivery days from the day on which it was sent", () => {
    const late = { ...paid, fulfilledAt: at("27T10:00") };
    expect(stepsOf(late).at(-1)).toBe("now: Delivered, Between 2 December and 8 December");
  });

  test("of an order abroad count the days of a delivery abroad", () => {
    const abroad = { ...paid, shipping: { country: "United Kingdom", pickupCenter: "" } };
    expect(stepsOf(abroad).at(-1)).toBe("ahead: Delivered, Between 3 December and 15 December");
  });

  test("of the greeting are three", () => {
    expect(progressOf(pickUp, NOW, LAGOS).nextSteps.map(({ name, text }) => `${name}, ${text}`)).toEqual([
      "Paid, Sunday 22 November, 14:36",
      "We pack it, By Wednesday 25 November",
      "It’s ready at Surulere, Between 27 November and 4 December. We’ll email you then.",
    ]);
    expect(progressOf(paid, NOW, LAGOS).nextSteps.at(-1)).toEqual({
      name: "It travels to you",
      text: "Between 27 November and 4 December. We’ll email you when it’s on its way.",
      is: "ahead",
    });
  });
});

test.each([
  ["22T09:05", "today at 09:05"],
  ["21T23:59", "on Saturday 21 November at 23:59"],
])("the time %s is written %s", (time, text) => {
  expect(dayWords(NOW, LAGOS).since(at(time))).toBe(text);
});
