import type { Stage } from "#app/orders/fulfilment/progress.ts";
import type { OrderState } from "#app/orders/state.ts";
import { ALREADY, whyNothingLeaves } from "../may-leave.ts";

/** The steps of a delivery that many orders can take at once, with the stage that each leads to. */
export const STEPS = { pack: "packed", ready: "ready", deliver: "delivered" } as const satisfies Record<string, Stage>;
export type Step = keyof typeof STEPS;

/** The most orders that take a step at once. */
export const MOST_STEPS = 200;

export function isStep(text: string): text is Step {
  return Object.hasOwn(STEPS, text);
}

/**
 * The facts that decide whether an order may take a step. `isMoneyTaken`: the bank takes or may take the money back.
 */
export type StepFacts = {
  state: OrderState;
  trial: boolean;
  stage: Stage;
  isPickUp: boolean;
  isGivenBack: boolean;
  hasPieces: boolean;
  isMoneyTaken: boolean;
};

const STAGES: readonly Stage[] = ["paid", "packed", "sent", "ready", "delivered", "returned"];

/**
 * Why an order cannot take a step, in the words of the office; undefined if it can. The step itself decides again, with
 * the order locked. If the bank may take the money back, the order is left out: its own page asks whether to trust the
 * shopper, a question that would be overlooked among many orders.
 */
export function whyNoStep(step: Step, order: StepFacts): string | undefined {
  const { state, trial, stage, isPickUp, hasPieces, isMoneyTaken } = order;
  const unsold = whyNothingLeaves({ state, trial, hasPieces: true });
  if (unsold) return unsold;
  if (step === "ready" && !isPickUp) return "Goes to an address, not to a pick-up centre";
  if (STAGES.indexOf(stage) >= STAGES.indexOf(STEPS[step])) return ALREADY[stage];
  const hasLeft = stage !== "paid" && stage !== "packed";
  if (step !== "deliver")
    return whyNothingLeaves({ ...order, hasPieces: hasPieces || hasLeft, isMoneyTaken: isMoneyTaken && !hasLeft });
  if (isPickUp) return stage === "ready" ? undefined : "Isn’t marked as ready for pick-up yet";
  return stage === "sent" ? undefined : "Isn’t marked as sent yet";
}
