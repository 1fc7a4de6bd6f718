import { plural } from "#app/infra/text/plural.ts";
import type { OrderedWay } from "#db/types.ts";
import { inBusinessDays } from "../delivery-time.ts";

type Promised = Pick<OrderedWay, "fromDays" | "toDays">;

/** "Same day", "1 business day", "1 to 2 business days". */
export function daysOfWay({ fromDays: from, toDays: to }: Promised): string {
  if (to === 0) return "Same day";
  return from === to ? plural(to, "business day") : inBusinessDays({ from, to });
}

/** A way in one line: "Express, 1 to 2 business days". */
export function wayText(way: Pick<OrderedWay, "name"> & Promised): string {
  const days = daysOfWay(way);
  return `${way.name}, ${days === "Same day" ? "same day" : days}`;
}
