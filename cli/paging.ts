import { BadInput } from "#app/infra/bad-input.ts";
import { endOfDay, SHOP_ZONE, startOfDay } from "#app/owner/shop-time.server.ts";

const PAGE = 50;
export type Part = { page: number; limit: number; offset: number };

/** The part of a list that `--page N` asks for; without it the first one, or all of it where the answer is for a program. */
export function partOf(page: string | undefined, json: boolean): Part {
  if (page === undefined && json) return { page: 1, limit: 1_000_000, offset: 0 };
  if (!/^[1-9]\d{0,5}$/.test(page ?? "1")) throw new BadInput(`'${page}' is no page: they are counted from 1`);
  const number = Number(page ?? 1);
  return { page: number, limit: PAGE, offset: (number - 1) * PAGE };
}

/** "120 orders, page 1 of 3 (--page 2 shows the next); times in Africa/Lagos". */
export function pageLine(what: string, total: number, { page }: Part): string {
  const pages = Math.max(1, Math.ceil(total / PAGE));
  return `${total} ${what}, page ${page} of ${pages}${page < pages ? ` (--page ${page + 1} shows the next)` : ""}; times in ${SHOP_ZONE}`;
}

/** The beginning of a day in the shop's time zone, written as 2026-01-31. */
export function dayFrom(text: string): Date {
  return startOfDay(text) ?? noDay(text);
}

/** The end of such a day. */
export function dayUntil(text: string): Date {
  return endOfDay(text) ?? noDay(text);
}

function noDay(text: string): never {
  throw new BadInput(`'${text}' is no day: write it as 2026-01-31`);
}
