import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

/** The start of a page in a list: after the row `before`, or preceding the row `after`. */
export type Keyset = { before?: string; after?: string };

/** A page of a list. `newer` is the key of the preceding page, `older` that of the next one, in any order of rows. */
export type Page<Row> = { rows: Row[]; newer?: string; older?: string };

/** The expressions in SQL to sort by, each with its type. The last one is unique. */
export type SortKeys = Record<string, keyof typeof TYPES>;

const PAGE = 50; // rows

/** The values of a sort key as in a URL, how SQL writes them, and how it reads them. */
const TYPES = {
  /** In microseconds, so that rows of the same millisecond keep their order. */
  time: {
    pattern: String.raw`\d{1,17}`,
    written: (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column}) * 1000000)::bigint`,
    read: (text: string) => sql`to_timestamp(0) + ${text}::bigint * interval '1 microsecond'`,
  },
  int: { pattern: String.raw`-?\d{1,9}`, ...castTo(sql`int`) },
  bigint: { pattern: String.raw`\d{1,18}`, ...castTo(sql`bigint`) },
  uuid: { pattern: "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", ...castTo(sql`uuid`) },
  text: { pattern: String.raw`[^\0]{1,300}`, ...castTo(sql`text`) },
};

function castTo(type: RawBuilder<unknown>) {
  return { written: (column: RawBuilder<unknown>) => column, read: (text: string) => sql`${text}::${type}` };
}

/**
 * A page of the query's rows, sorted by these keys, descending by default. Every page is equally fast, since a page
 * starts at a key and not at a number of rows. A key of another form means the first page.
 */
export async function pageOf<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  keys: SortKeys,
  { before, after }: Keyset,
  { ascending = false, size = PAGE }: { ascending?: boolean; size?: number } = {},
): Promise<Page<Row & { place: string }>> {
  const columns = Object.keys(keys).map((key) => sql.raw(key));
  const types = Object.values(keys).map((type) => TYPES[type]);
  const pattern = types.map((type) => `(${type.pattern})`).join("~");
  const edge = new RegExp(`^${pattern}$`, "s").exec(before ?? after ?? "")?.slice(1);
  const isBackwards = edge !== undefined && before === undefined;
  const [direction, comparison] = ascending === isBackwards ? ["desc", "<"] : ["asc", ">"];
  const place = sql.join(
    columns.map((column, at) => sql`(${types[at]?.written(column)})::text`),
    sql` || '~' || `,
  );
  const start = sql.join(types.map((type, at) => type.read(edge?.[at] ?? "")));
  const rows = await query
    .$castTo<Row & { place: string }>()
    .select(sql<string>`${place}`.as("place"))
    .$if(edge !== undefined, (query) =>
      query.where(sql<boolean>`(${sql.join(columns)}) ${sql.raw(comparison)} (${start})`),
    )
    .orderBy(sql.join(columns.map((column) => sql`${column} ${sql.raw(direction)}`)))
    .limit(size + 1)
    .execute();
  const hasMore = rows.length > size;
  const page = rows.slice(0, size);
  if (isBackwards) page.reverse();
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    rows: page,
    newer: first && (isBackwards ? hasMore : edge) ? first.place : undefined,
    older: last && (isBackwards || hasMore) ? last.place : undefined,
  };
}
