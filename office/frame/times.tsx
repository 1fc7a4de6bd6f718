import { createContext, useContext } from "react";

/** The time zone of the shop's calendar. */
export const ShopZone = createContext("UTC");

const LOOKS = {
  hour: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  moment: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  weekday: { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { weekday: "short", day: "numeric", month: "short" },
  date: { day: "numeric", month: "long", year: "numeric" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A time like "22 Nov, 14:36" in the shop's time zone. The tooltip has the full date and time. */
export function Time({ at, look = "moment" }: { at: Date; look?: keyof typeof LOOKS }) {
  const timeZone = useContext(ShopZone);
  const text = new Intl.DateTimeFormat("en-GB", { ...LOOKS[look], timeZone }).format(at);
  const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={whole} className="tabular-nums">
      {text}
    </time>
  );
}

const DAY_LOOKS = { short: LOOKS.day, long: { weekday: "long", day: "numeric", month: "long" } } as const;

/** A day of the shop's calendar, given like 2026-01-31, shown as "Sat 31 Jan" or "Saturday 31 January". */
export function Day({ on, look = "short" }: { on: string; look?: keyof typeof DAY_LOOKS }) {
  const at = new Date(`${on}T00:00:00Z`);
  const text = new Intl.DateTimeFormat("en-GB", { ...DAY_LOOKS[look], timeZone: "UTC" }).format(at);
  return (
    <time dateTime={on} className="tabular-nums">
      {text.replace(",", "")}
    </time>
  );
}
