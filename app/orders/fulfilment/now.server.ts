import { env } from "#app/infra/env.server.ts";
import { type Progress, progressOf, type TrackedOrder } from "./progress.ts";

/** The current progress of a sold order, in the shop's time zone. */
export function progressNow(order: TrackedOrder): Progress {
  return progressOf(order, new Date(), env.SHOP_TIMEZONE);
}
