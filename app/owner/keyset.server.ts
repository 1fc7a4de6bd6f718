import { sql } from "kysely";

/** Where a page of a list begins: behind the row that it names, or, for `after`, in front of it. */
export type Keyset = { before?: string; after?: string };

const IDS = { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, text: /^.{1,200}$/ };

/** Pages of rows by a time and an id, the newest first. */
export function newestFirst(time: string, id: string, type: keyof typeof IDS, keyset: Keyset) {
  return byTime(time, id, type, keyset, "newest");
}

/**
 * Pages of rows by a time and an id, the newest or the oldest first: `place` is to be selected of each row, `where` and `direction` are the query's. To the microsecond: two
 * rows of one millisecond keep their order.
 */
export function byTime(
  time: string,
  id: string,
  type: keyof typeof IDS,
  { before, after }: Keyset,
  first: "newest" | "oldest",
) {
  const [at, own] = [sql.ref(time), sql.ref(id)];
  const [, microseconds, edge = ""] = /^(\d{1,17})_(.+)$/.exec(before ?? after ?? "") ?? [];
  const isPlaced = microseconds !== undefined && IDS[type].test(edge);
  const isBackwards = isPlaced && before === undefined;
  const place = sql`(to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond', ${edge}::${sql.raw(type)})`;
  const isDescending = (first === "newest") !== isBackwards;
  const comparison = sql.raw(isDescending ? "<" : ">");
  return {
    place: sql<string>`(extract(epoch from ${at}) * 1000000)::bigint || '_' || ${own}`,
    where: isPlaced ? sql<boolean>`(${at}, ${own}) ${comparison} ${place}` : sql<boolean>`true`,
    direction: isDescending ? ("desc" as const) : ("asc" as const),
    /**
     * Of at most one row more than a page holds: the page, and the places where its neighbours begin. Where the oldest come first, `newer` is the page in front
     * of it and `older` the one behind it all the same.
     */
    pageOf<Row extends { place: string }>(rows: Row[], size: number): { page: Row[]; newer?: string; older?: string } {
      const hasMore = rows.length > size;
      const page = rows.slice(0, size);
      if (isBackwards) page.reverse();
      const [first, last] = [page.at(0), page.at(-1)];
      return {
        page,
        newer: first && (isBackwards ? hasMore : isPlaced) ? first.place : undefined,
        older: last && (isBackwards || hasMore) ? last.place : undefined,
      };
    },
  };
}
