import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";

/** The time zone in which the owner sees times and counts days. */
export const SHOP_ZONE = env.SHOP_TIMEZONE;

const parts = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: SHOP_ZONE });

/** "2026-01-31 14:05", in the shop's time zone. Lists name the zone once. */
export function shopTime(time: Date): string {
  return parts.format(time);
}

/** "2026-01-31 14:05 Africa/Lagos". */
export function shopTimeWithZone(time: Date): string {
  return `${shopTime(time)} ${SHOP_ZONE}`;
}

const ISO_MOMENT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The text with each time such as 2026-01-31T13:05:00.000Z converted to the shop's time zone. */
export function inShopTime(text: string): string {
  return text.replaceAll(ISO_MOMENT, (moment) => {
    const time = new Date(moment);
    return Number.isNaN(time.getTime()) ? moment : shopTime(time);
  });
}

/** "2026-01-31T14:05", in the shop's time zone: the value of a form field, which `momentOf` reads. */
export function typedMoment(time: Date): string {
  return shopTime(time).replace(" ", "T");
}

/** The minute before such a time: the value of a form field for an end, which `momentAfter` reads. */
export function typedLastMinute(end: Date): string {
  return typedMoment(new Date(end.getTime() - MINUTE));
}

/** The start of a day, such as 2026-01-31, in the shop's time zone. Undefined if the text is no day. */
export function startOfDay(text: string): Date | undefined {
  const day = plainDate(text);
  return day && new Date(day.toZonedDateTime(SHOP_ZONE).epochMilliseconds);
}

/** The end of that day, which is the start of the next one. */
export function endOfDay(text: string): Date | undefined {
  const day = plainDate(text);
  return day && new Date(day.add({ days: 1 }).toZonedDateTime(SHOP_ZONE).epochMilliseconds);
}

/** Today in the shop's time zone, or `daysAgo` days earlier, as 2026-01-31. */
export function shopDay(daysAgo = 0): string {
  return Temporal.Now.plainDateISO(SHOP_ZONE).subtract({ days: daysAgo }).toString();
}

/** The day of a time in the shop's time zone, as 2026-01-31. */
export function shopDayOf(time: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(SHOP_ZONE).toPlainDate().toString();
}

/**
 * The first moment of a minute such as 2026-01-31T14:05 in the shop's time zone. Undefined if the text is no minute.
 * When clocks change, a minute that comes twice means the first one, and a minute that is left out means the next one
 * that exists.
 */
export function momentOf(text: string): Date | undefined {
  return momentIn(text, SHOP_ZONE);
}

export function momentIn(text: string, zone: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return;
  try {
    const typed = Temporal.PlainDateTime.from(text);
    const read = typed.toZonedDateTime(zone, { disambiguation: "compatible" });
    const isThere = read.toPlainDateTime().equals(typed);
    const moment = isThere ? read : (read.getTimeZoneTransition("previous") ?? read);
    return new Date(moment.epochMilliseconds);
  } catch {
    return; // 2026-02-31T09:00
  }
}

/** The first moment after such a minute, so that 23:59 as an end means midnight. */
export function momentAfter(text: string): Date | undefined {
  const moment = momentOf(text);
  return moment && new Date(moment.getTime() + MINUTE);
}

/** The problem with an end that is not after its beginning, or is past. */
export const OVER_AT_ONCE = "It would be over before it begins";

function plainDate(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return; // 2026-02-31
  }
}
