import { env } from "#app/infra/env.server.ts";
import { type Progress, progressOf, type SoldOrder } from "./progress.ts";

/** Where a sold order is now, in the shop's time zone. */
export function progressNow(order: SoldOrder): Progress {
  return progressOf(order, new Date(), env.SHOP_TIMEZONE);
}
