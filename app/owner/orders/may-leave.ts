import type { OrderState } from "#app/orders/state.ts";

const UNSOLD: Record<Exclude<OrderState, "sold">, string> = {
  open: "Is not paid yet",
  waiting: "Is not paid yet",
  released: "Was never paid",
  refunding: "Its money has been given back",
  refunded: "Its money has been given back",
};

/** Why nothing of an order may leave; undefined where something may. */
export function whyNothingLeaves({
  state,
  isGivenBack = false,
  hasPieces,
}: {
  state: OrderState;
  isGivenBack?: boolean;
  hasPieces: boolean;
}): string | undefined {
  if (state !== "sold") return UNSOLD[state];
  if (isGivenBack) return UNSOLD.refunded;
  return hasPieces ? undefined : "All of its pieces have been given back";
}
