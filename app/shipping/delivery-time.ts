import { isNigeria } from "./shipping.ts";

export type Days = { from: number; to: number };

/** Business days until a parcel has left the shop, and from then until it arrives. */
export const PROCESSING_DAYS: Days = { from: 2, to: 3 };
export const DELIVERY_DAYS: { nigeria: Days; abroad: Days } = {
  nigeria: { from: 3, to: 7 },
  abroad: { from: 7, to: 14 },
};

/** "3-7", as the pages write it. */
export function dayRange({ from, to }: Days): string {
  return `${from}-${to}`;
}

/** "3 to 7 business days", as mails write it. */
export function inBusinessDays({ from, to }: Days): string {
  return `${from} to ${to} business days`;
}

/** The business days on the way to a country, named as a form posts it. */
export function deliveryDays(country: string): Days {
  return isNigeria(country) ? DELIVERY_DAYS.nigeria : DELIVERY_DAYS.abroad;
}

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** When what is ordered on a day arrives: "27 November to 4 December", or "24 to 30 November". Days are UTC's: the same on the server and everywhere. */
export function arrivalText(ordered: Date, onTheWay: Days): string {
  const from = businessDaysAfter(ordered, PROCESSING_DAYS.from + onTheWay.from);
  const to = businessDaysAfter(ordered, PROCESSING_DAYS.to + onTheWay.to);
  const isOneMonth = from.getUTCMonth() === to.getUTCMonth();
  return `${isOneMonth ? from.getUTCDate() : DATE.format(from)} to ${DATE.format(to)}`;
}

function businessDaysAfter(day: Date, count: number): Date {
  const date = new Date(day);
  for (let left = count; left > 0; ) {
    date.setUTCDate(date.getUTCDate() + 1);
    const isWeekend = date.getUTCDay() % 6 === 0;
    if (!isWeekend) left--;
  }
  return date;
}
