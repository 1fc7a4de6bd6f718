import { expect, test } from "vitest";
import type { OrderReturn } from "./return.ts";
import { returnSteps } from "./steps.ts";

const asked: OrderReturn = {
  number: "RT-7K3M-2Q",
  state: "asked",
  reason: "size",
  wish: "money",
  pieces: [],
  refunded: null,
  words: "",
  answer: "",
  sendBack: true,
  carrier: null,
  tracking: null,
  askedAt: "2026-11-01T09:00:00Z",
  decidedAt: null,
  receivedAt: null,
  endedAt: null,
  pictures: [],
};
const [decidedAt, receivedAt, endedAt] = ["2026-11-02T09:00:00Z", "2026-11-05T09:00:00Z", "2026-11-06T09:00:00Z"];
const approved: OrderReturn = { ...asked, state: "approved", decidedAt };

/** Finished steps stand before the bar, and the current one in brackets. */
test.each<[string, OrderReturn, string]>([
  ["asked for", asked, "Asked for | [We look at it] You send it back, We give the money back"],
  ["approved", approved, "Asked for, Approved | [You send it back] We give the money back"],
  ["approved, and kept", { ...approved, sendBack: false }, "Asked for, Approved | [We give the money back]"],
  ["an exchange", { ...approved, wish: "exchange" }, "Asked for, Approved | [You send it back] We send the other size"],
  [
    "back",
    { ...approved, state: "received", receivedAt },
    "Asked for, Approved, Back with us | [We give the money back]",
  ],
  [
    "refunded",
    { ...approved, state: "done", receivedAt, endedAt },
    "Asked for, Approved, Back with us, Money given back |",
  ],
  [
    "exchanged",
    { ...approved, wish: "exchange", state: "done", receivedAt, endedAt },
    "Asked for, Approved, Back with us, Exchange sent |",
  ],
  [
    "refunded without a reported arrival",
    { ...approved, state: "done", endedAt },
    "Asked for, Approved, Back with us, Money given back |",
  ],
  ["declined at once", { ...asked, state: "declined", decidedAt, endedAt: decidedAt }, "Asked for, Declined |"],
  [
    "declined when it was back",
    { ...approved, state: "declined", receivedAt, endedAt },
    "Asked for, Approved, Back with us, Declined |",
  ],
  ["withdrawn", { ...asked, state: "withdrawn", endedAt }, "Asked for, Withdrawn |"],
])("%s", (_, given, expected) => {
  const steps = returnSteps(given);
  const names = (is: string) => steps.filter((step) => step.is === is).map(({ name }) => name);
  const now = names("now").map((name) => `[${name}]`);
  expect(`${names("past").join(", ")} | ${now} ${names("ahead").join(", ")}`.trim()).toBe(expected);
});

test("done steps have their day, and others have none", () => {
  expect(returnSteps(approved).map(({ text }) => text)).toEqual(["1 November 2026", "2 November 2026", "", ""]);
});
