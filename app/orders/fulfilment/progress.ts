import { capital } from "#app/infra/text/capital.ts";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { type DeliveryWindow, deliveryWindow } from "#app/shipping/business-days.ts";
import type { ShippingDetails } from "#db/types.ts";
import { dayWords } from "./days.ts";

/** The time of each step of a sold order; null if it has not happened or was not reported. */
export type FulfilmentTimes = {
  packedAt: Date | null;
  /** When the order left the shop: it was sent off or picked up. */
  fulfilledAt: Date | null;
  /** Since when the order has been waiting at its pick-up centre. */
  readyAt: Date | null;
  deliveredAt: Date | null;
  returnedAt: Date | null;
};

/** The stage of a sold order. It is derived from the times and independent of the sale's stored status. */
export type Stage = "paid" | "packed" | "sent" | "ready" | "delivered" | "returned";

export function stageOf(order: FulfilmentTimes): Stage {
  if (order.returnedAt) return "returned";
  if (order.deliveredAt) return "delivered";
  if (order.readyAt) return "ready";
  if (order.fulfilledAt) return "sent";
  return order.packedAt ? "packed" : "paid";
}

/** Whether the order is still in the shop. */
export function isStillHere(order: FulfilmentTimes): boolean {
  const stage = stageOf(order);
  return stage === "paid" || stage === "packed";
}

/** Whether a sale waits to be handed over: it was sent or, for a pick-up, is ready at its centre. */
export function isToHandOver({ stage, isPickUp }: { stage: Stage; isPickUp: boolean }): boolean {
  return stage === (isPickUp ? "ready" : "sent");
}

/** A step of the delivery: done, current or to come. */
export type Step = { name: string; text: string; is: "past" | "now" | "ahead" };
/**
 * A sold order's progress in words: `title` and `note` at the top of its page, all steps, and the three steps that the
 * greeting shows.
 */
export type Progress = { stage: Stage; title: string; note: string; steps: Step[]; nextSteps: Step[] };

export type TrackedOrder = FulfilmentTimes & {
  orderedAt: Date;
  carrier: string | null;
  shipping: Pick<ShippingDetails, "country" | "pickupCenter" | "deliveryWay">;
  /** Absent if they are those that the shop comes with. */
  numbers?: Numbers;
};

/** The progress of a sold order. Times are shown in the time zone `zone`. */
export function progressOf(order: TrackedOrder, now: Date, zone: string): Progress {
  const { orderedAt, packedAt, fulfilledAt, readyAt, deliveredAt, returnedAt, carrier, shipping } = order;
  const { numbers = SHIPPED_NUMBERS } = order;
  const center = shipping.pickupCenter;
  const words = dayWords(now, zone);
  const days = deliveryWindow(
    { orderedAt, sentAt: fulfilledAt, country: shipping.country, way: shipping.deliveryWay, numbers },
    zone,
  );
  const leaves = `By ${words.day(days.leavesBy)}`;
  const arrives = capital(words.between(days.from, days.to));
  const steps = (planned: Planned[]) => inTurn(planned, words.dayAndTime);

  const paid = { time: orderedAt, done: "Paid", ahead: "Paid", expected: "" };
  const packed = { time: packedAt, done: "Packed", ahead: "We pack it", expected: leaves };
  const sent = {
    time: fulfilledAt,
    done: carrier ? `Sent with ${carrier}` : "Sent",
    ahead: "Sent",
    expected: "We’ll email you when it’s on its way",
  };
  const ready = { time: readyAt, done: `Ready at ${center}`, ahead: `Ready at ${center}`, expected: arrives };
  const pickedUp = { time: deliveredAt, done: "Picked up", ahead: "Picked up", expected: "Any time once it’s ready" };
  const delivered = { time: deliveredAt, done: "Delivered", ahead: "Delivered", expected: arrives };
  const back = { time: returnedAt, done: "Back with us", ahead: "", expected: "" };
  const stage = stageOf(order);
  return {
    stage,
    title: TITLES[stage](center),
    note: noteOf(order, stage, words, days),
    steps: steps([paid, packed, ...(center ? [ready, pickedUp] : [sent, delivered]), ...(returnedAt ? [back] : [])]),
    nextSteps: steps([
      paid,
      packed,
      center
        ? { ...ready, ahead: `It’s ready at ${center}`, expected: `${arrives}. We’ll email you then.` }
        : { ...sent, ahead: "It travels to you", expected: `${arrives}. We’ll email you when it’s on its way.` },
    ]),
  };
}

/** `center` is "" if the order is delivered to an address. */
const TITLES: Record<Stage, (center: string) => string> = {
  paid: () => "Paid. We’re packing it.",
  packed: (center) => (center ? `Packed. Next it goes to ${center}.` : "Packed. Waiting for the carrier."),
  sent: (center) => (center ? `On its way to ${center}.` : "On its way to you."),
  ready: (center) => `Ready for you at ${center}.`,
  delivered: (center) => (center ? "Picked up." : "Delivered."),
  returned: () => "Back with us.",
};

const LATE = "This is taking longer than we said, and we’re sorry. Please email us.";

function noteOf(
  { fulfilledAt, readyAt, deliveredAt, returnedAt }: TrackedOrder,
  stage: Stage,
  words: ReturnType<typeof dayWords>,
  { leavesBy, from, to }: DeliveryWindow,
): string {
  const isPast = (day: Temporal.PlainDate) => Temporal.PlainDate.compare(words.today, day) > 0;
  if (returnedAt) return `It came back on ${words.dayOf(returnedAt)}`;
  if (deliveredAt) return `On ${words.dayOf(deliveredAt)}`;
  if (readyAt) return `Since ${words.dayOf(readyAt)}`;
  if (isPast(fulfilledAt ? to : leavesBy)) return LATE;
  return stage === "sent" ? capital(words.between(from, to)) : `It leaves us by ${words.day(leavesBy)}`;
}

/** `done` and `ahead` are the step's names after and before it is done, `expected` the text about when it will be. */
type Planned = { time: Date | null; done: string; ahead: string; expected: string };

/** A step without a reported time counts as done if a later one has a time. */
function inTurn(planned: Planned[], timeWords: (time: Date) => string): Step[] {
  const last = planned.findLastIndex(({ time }) => time !== null);
  return planned.map(({ time, done, ahead, expected }, index) => {
    if (index <= last) return { name: done, text: time ? timeWords(time) : "", is: "past" };
    return { name: ahead, text: expected, is: index === last + 1 ? "now" : "ahead" };
  });
}
