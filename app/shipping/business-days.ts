import { type ArrivalDates, deliveryDays, PROCESSING_DAYS } from "./delivery-time.ts";
import { NIGERIA } from "./nigeria.ts";

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
};

/**
 * The delivery window of an order, in the time zone `zone`. If the order left later than promised, its arrival is
 * counted from that day.
 */
export function deliveryWindow({ orderedAt, sentAt, country }: Dated, zone: string): DeliveryWindow {
  const dayOf = (time: Date) =>
    Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const way = deliveryDays(country);
  const ordered = dayOf(orderedAt);
  const leavesBy = businessDaysAfter(ordered, PROCESSING_DAYS.to);
  const sent = sentAt && dayOf(sentAt);
  if (sent && Temporal.PlainDate.compare(sent, leavesBy) > 0)
    return { leavesBy: sent, from: businessDaysAfter(sent, way.from), to: businessDaysAfter(sent, way.to) };
  return {
    leavesBy,
    from: businessDaysAfter(ordered, PROCESSING_DAYS.from + way.from),
    to: businessDaysAfter(ordered, PROCESSING_DAYS.to + way.to),
  };
}

/** The arrival dates of an order placed now, in words: "27 November to 4 December", or "24 to 30 November". */
export function arrivalDates(now: Date, zone: string): ArrivalDates {
  const dates = (country: string) => {
    const { from, to } = deliveryWindow({ orderedAt: now, sentAt: null, country }, zone);
    const words = (day: Temporal.PlainDate) => day.toLocaleString("en-GB", { day: "numeric", month: "long" });
    return `${from.month === to.month ? from.day : words(from)} to ${words(to)}`;
  };
  return { nigeria: dates(NIGERIA.name), abroad: dates("") };
}
