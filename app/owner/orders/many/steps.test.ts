import { expect, test } from "vitest";
import { type Step, type StepFacts, whyNoStep } from "./steps.ts";

const HOME: StepFacts = {
  state: "sold",
  trial: false,
  stage: "paid",
  isPickUp: false,
  isGivenBack: false,
  hasPieces: true,
  isMoneyTaken: false,
};
const PICK_UP: StepFacts = { ...HOME, isPickUp: true };
const MAY = undefined;

const CASES: [name: string, order: StepFacts, why: Record<Step, string | undefined>][] = [
  [
    "new, to an address",
    HOME,
    {
      pack: MAY,
      ready: "Goes to an address, not to a pick-up centre",
      deliver: "Isn’t marked as sent yet",
    },
  ],
  ["new, for pick-up", PICK_UP, { pack: MAY, ready: MAY, deliver: "Isn’t marked as ready for pick-up yet" }],
  [
    "packed, for pick-up",
    { ...PICK_UP, stage: "packed" },
    { pack: "Already packed", ready: MAY, deliver: "Isn’t marked as ready for pick-up yet" },
  ],
  [
    "sent to an address",
    { ...HOME, stage: "sent" },
    { pack: "Already sent", ready: "Goes to an address, not to a pick-up centre", deliver: MAY },
  ],
  [
    "sent to its pick-up centre",
    { ...PICK_UP, stage: "sent" },
    { pack: "Already sent", ready: MAY, deliver: "Isn’t marked as ready for pick-up yet" },
  ],
  [
    "ready",
    { ...PICK_UP, stage: "ready" },
    {
      pack: "Already waiting at its pick-up centre",
      ready: "Already waiting at its pick-up centre",
      deliver: MAY,
    },
  ],
  [
    "delivered",
    { ...PICK_UP, stage: "delivered" },
    { pack: "Already delivered", ready: "Already delivered", deliver: "Already delivered" },
  ],
  [
    "come back",
    { ...PICK_UP, stage: "returned" },
    { pack: "Already came back", ready: "Already came back", deliver: "Already came back" },
  ],
  [
    "unpaid",
    { ...PICK_UP, state: "open" },
    { pack: "Isn’t paid yet", ready: "Isn’t paid yet", deliver: "Isn’t paid yet" },
  ],
  [
    "refunded",
    { ...PICK_UP, state: "refunded" },
    { pack: "It’s been refunded", ready: "It’s been refunded", deliver: "It’s been refunded" },
  ],
  [
    "without a piece left",
    { ...PICK_UP, hasPieces: false },
    {
      pack: "All of its items have been refunded",
      ready: "All of its items have been refunded",
      deliver: "Isn’t marked as ready for pick-up yet",
    },
  ],
  [
    "disputed before it left",
    { ...PICK_UP, isMoneyTaken: true },
    {
      pack: "Its payment is disputed. Check that first",
      ready: "Its payment is disputed. Check that first",
      deliver: "Isn’t marked as ready for pick-up yet",
    },
  ],
  [
    "disputed after it left for its pick-up centre, and refunded in parts",
    { ...PICK_UP, stage: "sent", isMoneyTaken: true, hasPieces: false },
    { pack: "Already sent", ready: MAY, deliver: "Isn’t marked as ready for pick-up yet" },
  ],
  [
    "refunded while it waits at its pick-up centre",
    { ...PICK_UP, stage: "ready", isGivenBack: true },
    {
      pack: "Already waiting at its pick-up centre",
      ready: "Already waiting at its pick-up centre",
      deliver: MAY,
    },
  ],
];

test.each(CASES)("an order that is %s: the steps that it can take, and why not the others", (_, order, why) => {
  const said = (["pack", "ready", "deliver"] as const).map((step) => [step, whyNoStep(step, order)]);
  expect(Object.fromEntries(said)).toEqual(why);
});
