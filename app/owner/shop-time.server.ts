import { env } from "#app/infra/env.server.ts";

/** The time zone in which the owner reads times and counts days. */
export const SHOP_ZONE = env.SHOP_TIMEZONE;

const parts = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: SHOP_ZONE });

/** "2026-01-31 14:05", in the shop's time zone: lists name it once. */
export function shopTime(time: Date): string {
  return parts.format(time);
}

/** "2026-01-31 14:05 Africa/Lagos". */
export function shopTimeWithZone(time: Date): string {
  return `${shopTime(time)} ${SHOP_ZONE}`;
}

const ISO_MOMENT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The text with each moment that is written as 2026-01-31T13:05:00.000Z in the shop's time zone. */
export function inShopTime(text: string): string {
  return text.replaceAll(ISO_MOMENT, (moment) => {
    const time = new Date(moment);
    return Number.isNaN(time.getTime()) ? moment : shopTime(time);
  });
}

/** "2026-01-31T14:05", in the shop's time zone: as a form has it, and momentOf reads it. */
export function typedMoment(time: Date): string {
  return shopTime(time).replace(" ", "T");
}

/** The moment at which a day, written as 2026-01-31, begins in the shop's time zone; undefined where it is no day. */
export function startOfDay(text: string): Date | undefined {
  const day = plainDate(text);
  return day && new Date(day.toZonedDateTime(SHOP_ZONE).epochMilliseconds);
}

/** The moment at which the day after it begins. */
export function endOfDay(text: string): Date | undefined {
  const day = plainDate(text);
  return day && new Date(day.add({ days: 1 }).toZonedDateTime(SHOP_ZONE).epochMilliseconds);
}

/** Today in the shop's time zone, or so many days before it, as 2026-01-31. */
export function shopDay(daysAgo = 0): string {
  return Temporal.Now.plainDateISO(SHOP_ZONE).subtract({ days: daysAgo }).toString();
}

/** The day of a moment in the shop's time zone, as 2026-01-31. */
export function shopDayOf(time: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(SHOP_ZONE).toPlainDate().toString();
}

/** The moment written as 2026-01-31T14:05 in the shop's time zone; undefined where it is none. */
export function momentOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return;
  try {
    return new Date(Temporal.PlainDateTime.from(text).toZonedDateTime(SHOP_ZONE).epochMilliseconds);
  } catch {
    return; // 2026-02-31T09:00
  }
}

function plainDate(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return; // 2026-02-31
  }
}
