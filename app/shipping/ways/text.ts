import { plural } from "#app/infra/text/plural.ts";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";
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

/** With a name as long as an owner's ways may have it. */
const WAY_TEXT = /^(.{1,40}), (?:same day|(?:(\d{1,2}) to )?(\d{1,2}) business days?)$/;

/**
 * The way that `wayText` wrote, without its id and last time of a day. Undefined if the text is none that it writes: it
 * is printed on labels and in a terminal.
 */
export function readWayText(text: string): OrderedWay | undefined {
  const [, name, from, to = "0"] = WAY_TEXT.exec(text) ?? [];
  if (name === undefined || !isPlainLine(name)) return;
  const way = { id: "", name, fromDays: Number(from ?? to), toDays: Number(to), orderBy: "" };
  return way.fromDays <= way.toDays && wayText(way) === text ? way : undefined;
}
