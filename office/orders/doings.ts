import { type FulfilmentTimes, isStillHere, stageOf } from "#app/orders/fulfilment/progress.ts";
import type { OrderState } from "#app/orders/state.ts";
import { type Granted, may, type Permission } from "#app/staff/roles.ts";

export type OrderFacts = FulfilmentTimes & {
  state: OrderState;
  isGivenBack: boolean;
  hasPieces: boolean;
  isPickUp: boolean;
  isDisputed: boolean;
  /** Whether another size of its products is available. */
  hasOtherSize?: boolean;
  /** Whether staff put the order together, so that it may be paid by hand. */
  isByStaff?: boolean;
  /** Whether money of the order is to be given back by hand. */
  isToGive?: boolean;
};

/** An action that opens a panel, which explains it before it is done. */
type Panel = { title: string; panel: string };
export type Doings = {
  /**
   * The next step of the order's delivery, if any; never an action that undoes something. Only packing needs no panel,
   * because it sends no mail.
   */
  next?: Panel | { title: string; intent: "pack" };
  others: Panel[];
};

const PACK = { title: "Mark as packed", intent: "pack" } as const;
const READY: Panel = { title: "Ready for pick-up", panel: "ready" };
const SEND: Panel = { title: "Mark as sent", panel: "send" };
const CORRECT: Panel = { title: "Correct the parcel", panel: "send" };
const PICKED_UP: Panel = { title: "Picked up", panel: "deliver" };
const DELIVERED: Panel = { title: "Delivered", panel: "deliver" };
const REFUND: Panel = { title: "Refund a part", panel: "refund" };
const GIVE: Panel = { title: "Refund an amount", panel: "give" };
const SIZE: Panel = { title: "Change a size", panel: "size" };
const ADDRESS: Panel = { title: "Change the address", panel: "address" };
const MAIL: Panel = { title: "Send an email again", panel: "mail" };
const CAME_BACK: Panel = { title: "It came back", panel: "return" };
const CANCEL: Panel = { title: "Cancel the order", panel: "cancel" };
const PAID: Panel = { title: "Mark as paid", panel: "paid" };
const GIVEN: Panel = { title: "Mark as given back", panel: "given" };

/**
 * The actions that are possible for an order. An order with a disputed payment cannot be packed, and can be sent only
 * through a panel that warns about the dispute.
 */
export function doingsOf(order: OrderFacts): Doings {
  const { next, others } = deliveryDoings(order);
  return { next, others: order.isToGive ? [GIVEN, ...others] : others };
}

function deliveryDoings(order: OrderFacts): Doings {
  const { state, isGivenBack, hasPieces, isPickUp, isDisputed, isByStaff, hasOtherSize, ...times } = order;
  if (state === "open" || state === "waiting") return { others: isByStaff ? [PAID, CANCEL] : [CANCEL] };
  if (state !== "sold") return { others: [MAIL] };
  const refund = isGivenBack ? [] : [REFUND, GIVE];
  if (!isStillHere(times)) return left(stageOf(times), isPickUp, refund);
  const cancel = isGivenBack ? [] : [CANCEL];
  if (isGivenBack || !hasPieces) return { others: [...refund, MAIL, ...cancel] };
  const leave = isPickUp ? [READY, SEND] : [SEND];
  const size = hasOtherSize && stageOf(times) === "paid" ? [SIZE] : [];
  const others = [...refund, ...size, ADDRESS, MAIL, ...cancel];
  if (isDisputed) return { others: [...leave, ...others] };
  if (!times.packedAt) return { next: PACK, others: [...leave, ...others] };
  return { next: leave[0], others: [...leave.slice(1), ...others] };
}

/** The permission that each action needs, by its panel or intent. */
const NEEDS: Record<string, Permission> = {
  ...{ pack: "packing", send: "packing", ready: "packing", deliver: "packing", size: "packing" },
  ...{ refund: "refunds", give: "refunds", cancel: "refunds" },
  ...{ paid: "till", given: "till" },
  ...{ address: "service", mail: "service", return: "service" },
};

/** Whether this role may do what the panel or intent is for. */
export function mayDo(role: Granted, doing: string): boolean {
  const needs = NEEDS[doing];
  return needs !== undefined && may(role, needs);
}

function left(stage: ReturnType<typeof stageOf>, isPickUp: boolean, refund: Panel[]): Doings {
  if (stage === "returned") return { others: [...refund, MAIL] };
  const others = [...refund, MAIL, CAME_BACK];
  if (stage === "ready") return { next: PICKED_UP, others };
  if (stage === "sent") return { next: isPickUp ? READY : DELIVERED, others: [CORRECT, ...others] };
  return { others };
}
