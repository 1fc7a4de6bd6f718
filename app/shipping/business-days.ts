import { type ArrivalDates, deliveryDays, PROCESSING_DAYS } from "./delivery-time.ts";
import { NIGERIA } from "./nigeria.ts";

/** The day so many business days (Monday to Friday) after another. */
export function businessDaysAfter(day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let [later, left] = [day, count];
  while (left > 0) {
    later = later.add({ days: 1 });
    if (later.dayOfWeek <= 5) left--;
  }
  return later;
}

/** By when an order has left the shop, and the days between which it arrives. */
export type DeliveryWindow = { leavesBy: Temporal.PlainDate; from: Temporal.PlainDate; to: Temporal.PlainDate };

type Dated = {
  orderedAt: Date;
  /** When it left; null: it has not yet. */
  sentAt: Date | null;
  /** As the shipping form names it. */
  country: string;
};

/** The days of one order in the time zone `zone`: as they were promised, or, where it left later than that, counted from when it left. */
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

/** The same in words, for what is ordered now: "27 November to 4 December", or "24 to 30 November". */
export function arrivalDates(now: Date, zone: string): ArrivalDates {
  const dates = (country: string) => {
    const { from, to } = deliveryWindow({ orderedAt: now, sentAt: null, country }, zone);
    const words = (day: Temporal.PlainDate) => day.toLocaleString("en-GB", { day: "numeric", month: "long" });
    return `${from.month === to.month ? from.day : words(from)} to ${words(to)}`;
  };
  return { nigeria: dates(NIGERIA.name), abroad: dates("") };
}
