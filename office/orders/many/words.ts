import type { Step } from "#app/owner/orders/many/steps.ts";

/**
 * The words for each step of many orders. `as` completes "marked as …". `isTold`: whether the shoppers are emailed.
 * `about`: what follows from the step.
 */
export const STEP_WORDS: Record<Step, { as: string; isTold: boolean; about: string }> = {
  pack: { as: "packed", isTold: false, about: "We email nobody about it." },
  ready: {
    as: "ready for pick-up",
    isTold: true,
    about: "We email each shopper that the order is waiting at the pick-up centre.",
  },
  deliver: {
    as: "delivered",
    isTold: false,
    about:
      "Orders for pick-up count as picked up. The times for a return, and for telling of damage, count from that day: of an earlier day, from its end.",
  },
};
