import type { Numbers } from "#app/numbers/numbers.ts";
import type { OrderedWay } from "#db/types.ts";
import { type ArrivalDates, deliveryDays } from "./delivery-time.ts";
import { NIGERIA } from "./nigeria.ts";
import type { DeliveryWay } from "./shipping.ts";

const FRIDAY = 5;
const WORKING_DAYS = 5;

/** The day that is `count` business days (Monday to Friday) after `day`. */
export function businessDaysAfter(day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  if (count === 0) return day;
  const sinceFriday = Math.max(0, day.dayOfWeek - FRIDAY); // a weekend day counts as the Friday before
  const left = count % WORKING_DAYS;
  const overWeekend = day.dayOfWeek - sinceFriday + left > FRIDAY ? 2 : 0;
  return day.add({ days: Math.floor(count / WORKING_DAYS) * 7 + left + overWeekend - sinceFriday });
}

/** The day by which an order leaves the shop, and the days between which it arrives. */
export type DeliveryWindow = { leavesBy: Temporal.PlainDate; from: Temporal.PlainDate; to: Temporal.PlainDate };

type Dated = {
  orderedAt: Date;
  /** The time at which the order left the shop; null if it has not left. */
  sentAt: Date | null;
  /** The country's name or code, as the shipping form posts it. */
  country: string;
  /** Absent for the standard way. */
  way?: Omit<OrderedWay, "id" | "name">;
  numbers: Numbers;
};

/**
 * The delivery window of an order, in the time zone `zone`. If the order left later than promised, its arrival is
 * counted from that day. A way's days count from the order; placed at a weekend or after the way's last time of order,
 * it counts from the next business day.
 */
export function deliveryWindow({ orderedAt, sentAt, country, way, numbers }: Dated, zone: string): DeliveryWindow {
  const at = (time: Date) => Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone);
  const ordered = way ? dayOfWay(at(orderedAt), way.orderBy) : at(orderedAt).toPlainDate();
  const days = way ? countedFromOrder(way, numbers) : countedFromPacking(deliveryDays(country, numbers), numbers);
  const leavesBy = businessDaysAfter(ordered, days.leaves);
  const sent = sentAt && at(sentAt).toPlainDate();
  if (sent && Temporal.PlainDate.compare(sent, leavesBy) > 0)
    return {
      leavesBy: sent,
      from: businessDaysAfter(sent, days.onWay.from),
      to: businessDaysAfter(sent, days.onWay.to),
    };
  return { leavesBy, from: businessDaysAfter(ordered, days.from), to: businessDaysAfter(ordered, days.to) };
}

/** The business days until the order leaves, from then to the door (`onWay`), and from the order to the door. */
type Counted = { leaves: number; onWay: { from: number; to: number }; from: number; to: number };

function countedFromPacking(onWay: Counted["onWay"], { packFrom, packTo }: Numbers): Counted {
  return { leaves: packTo, onWay, from: packFrom + onWay.from, to: packTo + onWay.to };
}

function countedFromOrder(
  { fromDays: from, toDays: to }: Pick<OrderedWay, "fromDays" | "toDays">,
  { packTo }: Numbers,
): Counted {
  const leaves = Math.min(packTo, from);
  return { leaves, onWay: { from: from - leaves, to: to - leaves }, from, to };
}

function dayOfWay(ordered: Temporal.ZonedDateTime, orderBy: string): Temporal.PlainDate {
  const day = ordered.toPlainDate();
  const isLate = orderBy !== "" && Temporal.PlainTime.compare(ordered.toPlainTime(), orderBy) > 0;
  return isLate || day.dayOfWeek > FRIDAY ? businessDaysAfter(day, 1) : day;
}

/**
 * The arrival dates of an order placed now, in words: "27 November to 4 December", "24 to 30 November", or, where a way
 * promises one day, "24 November".
 */
export function arrivalDates(
  now: Date,
  zone: string,
  numbers: Numbers,
  ways: readonly DeliveryWay[] = [],
): ArrivalDates {
  const dates = (country: string, way?: DeliveryWay) => {
    const { from, to } = deliveryWindow({ orderedAt: now, sentAt: null, country, way, numbers }, zone);
    const words = (day: Temporal.PlainDate) => day.toLocaleString("en-GB", { day: "numeric", month: "long" });
    if (from.equals(to)) return words(to);
    return `${from.month === to.month ? from.day : words(from)} to ${words(to)}`;
  };
  const standard = { nigeria: dates(NIGERIA.name), abroad: dates("") };
  return ways.length === 0
    ? standard
    : { ...standard, ways: Object.fromEntries(ways.map((way) => [way.id, dates("", way)])) };
}
