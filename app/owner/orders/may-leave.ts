import type { Stage } from "#app/orders/fulfilment/progress.ts";
import type { OrderState } from "#app/orders/state.ts";

/** The refusal of any action on an order of a trial. */
export const IS_TEST =
  "It’s a test order from before the shop went live, so it can’t be sent or refunded, and doesn’t count";

const UNSOLD: Record<Exclude<OrderState, "sold">, string> = {
  open: "Isn’t paid yet",
  waiting: "Isn’t paid yet",
  released: "Was never paid",
  refunding: "It’s been refunded",
  refunded: "It’s been refunded",
};

/** The stages after payment, as the reason why an earlier step comes too late. */
export const ALREADY: Record<Exclude<Stage, "paid">, string> & { paid?: undefined } = {
  packed: "Already packed",
  sent: "Already sent",
  ready: "Already waiting at its pick-up centre",
  delivered: "Already delivered",
  returned: "Already came back",
};

/** Why no piece of an order may be sent. Undefined if one may be. */
export function whyNothingLeaves({
  state,
  trial = false,
  isGivenBack = false,
  isMoneyTaken = false,
  hasPieces,
}: {
  state: OrderState;
  trial?: boolean;
  isGivenBack?: boolean;
  isMoneyTaken?: boolean;
  hasPieces: boolean;
}): string | undefined {
  if (trial) return IS_TEST;
  if (state !== "sold") return UNSOLD[state];
  if (isGivenBack) return UNSOLD.refunded;
  if (!hasPieces) return "All of its items have been refunded";
  return isMoneyTaken ? "Its payment is disputed. Check that first" : undefined;
}
