import { sql } from "kysely";

/** Where a page begins: after the row that it names, or, for `after`, before it. */
export type Keyset = { before?: string; after?: string };

const IDS = { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, text: /^.{1,200}$/ };

/**
 * Pages of rows by a time and an id, the newest first: `place` is to be selected of each row, `where` and `direction` are the query's. To the microsecond: two
 * rows of one millisecond keep their order.
 */
export function newestFirst(time: string, id: string, type: keyof typeof IDS, { before, after }: Keyset) {
  const [at, own] = [sql.ref(time), sql.ref(id)];
  const [, microseconds, edge = ""] = /^(\d{1,17})_(.+)$/.exec(before ?? after ?? "") ?? [];
  const isPlaced = microseconds !== undefined && IDS[type].test(edge);
  const isBackwards = isPlaced && before === undefined;
  const place = sql`(to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond', ${edge}::${sql.raw(type)})`;
  const comparison = sql.raw(isBackwards ? ">" : "<");
  return {
    place: sql<string>`(extract(epoch from ${at}) * 1000000)::bigint || '_' || ${own}`,
    where: isPlaced ? sql<boolean>`(${at}, ${own}) ${comparison} ${place}` : sql<boolean>`true`,
    direction: isBackwards ? ("asc" as const) : ("desc" as const),
    /** Of at most one row more than a page holds: the page, and the places where its neighbours begin. */
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
