import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";

const options = { timeZone: env.SHOP_TIMEZONE } as const;
const DAY = new Intl.DateTimeFormat("en-GB", { ...options, weekday: "long", day: "numeric", month: "long" });
const TIME = new Intl.DateTimeFormat("en-GB", { ...options, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** "Sunday 6 December, 23:59" in the shop's time zone: the last minute of a sale that is over at `end`. */
export function lastMinuteText(end: Date): string {
  const last = new Date(end.getTime() - MINUTE);
  return `${DAY.format(last).replace(",", "")}, ${TIME.format(last)}`;
}
