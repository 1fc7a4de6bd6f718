import { BadInput } from "#app/infra/bad-input.ts";
import { endOfDay, SHOP_ZONE, startOfDay } from "#app/owner/shop-time.server.ts";

const PAGE = 50;
export type Part = { page: number; limit: number; offset: number };

/**
 * The part of a list that `--page N` asks for. Without it, the first page, or the whole list if a program reads the
 * answer.
 */
export function partOf(page: string | undefined, json: boolean): Part {
  if (page === undefined && json) return { page: 1, limit: 1_000_000, offset: 0 };
  if (!/^[1-9]\d{0,5}$/.test(page ?? "1")) throw new BadInput(`'${page}' isn't a page number. The first page is 1`);
  const number = Number(page ?? 1);
  return { page: number, limit: PAGE, offset: (number - 1) * PAGE };
}

/** Throws a BadInput for a page after the last one: a script would take an empty page for the end of its work. */
export function refuseBeyond(what: string, total: number, { page }: Part): void {
  const pages = pagesOf(total);
  if (page > pages)
    throw new BadInput(`There is no page ${page}. The last of the ${total} ${what} is on page ${pages}`);
}

const pagesOf = (total: number) => Math.max(1, Math.ceil(total / PAGE));

/** The line below a list, like "120 orders, page 1 of 3 (--page 2 for the next); times in Africa/Lagos". */
export function pageLine(what: string, total: number, { page }: Part): string {
  const pages = pagesOf(total);
  return `${total} ${what}, page ${page} of ${pages}${page < pages ? ` (--page ${page + 1} for the next)` : ""}; times in ${SHOP_ZONE}`;
}

/** The beginning of a day in the shop's time zone, written as 2026-01-31. */
export function dayFrom(text: string): Date {
  return startOfDay(text) ?? noDay(text);
}

/** The end of a day in the shop's time zone, written as 2026-01-31. */
export function dayUntil(text: string): Date {
  return endOfDay(text) ?? noDay(text);
}

function noDay(text: string): never {
  throw new BadInput(`'${text}' isn't a date. Write it like 2026-01-31`);
}
