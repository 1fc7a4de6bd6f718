import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { type Db, type Transaction, WITH_COMMIT } from "./db.server.ts";

/** The type of a value or column: `name` is PostgreSQL's, `T` is TypeScript's. */
export type SqlType<T> = {
  name: string;
  isNullable: boolean;
  readonly means?: T;
  /** Encodes a value that the driver would send as another type. */
  encode?(value: T): string;
};

function named<T>(name: string): SqlType<T> {
  return { name, isNullable: false };
}

export const sqlType = {
  text: named<string>("text"),
  textOf: <T extends string>() => named<T>("text"),
  textList: <T extends string = string>() => named<T[]>("_text"),
  uuid: named<string>("uuid"),
  bool: named<boolean>("bool"),
  int: named<number>("int4"),
  /** Read as text: it may be larger than a number can represent exactly. */
  bigint: named<string>("int8"),
  /** For writing a value that a number represents exactly. */
  bigintFrom: named<number>("int8"),
  numeric: named<string>("numeric"),
  time: named<Date>("timestamptz"),
  timeFrom: named<Date | string>("timestamptz"),
  bytes: named<Buffer>("bytea"),
  json: <T>(): SqlType<T> => ({ ...named<T>("jsonb"), encode: (value) => JSON.stringify(value) }),
  /** For writing an interval, given in milliseconds. */
  duration: { ...named<number>("interval"), encode: (ms: number) => `${ms} ms` } satisfies SqlType<number>,
  orNull: <T>(type: SqlType<T>): SqlType<T | null> => ({ ...type, isNullable: true }),
};

export type SqlTypes = Record<string, SqlType<unknown>>;
export type RowOf<Types extends SqlTypes> = {
  [Name in keyof Types]: Types[Name] extends SqlType<infer T> ? T : never;
};
type Values<Types extends SqlTypes> = keyof Types extends never ? [] : [values: RowOf<Types>];

type Declared = { text: string; names: string[]; takes: SqlTypes; gives: SqlTypes };

/** Every declared statement; statement.test.ts compares each with the database. */
export const statements: Declared[] = [];

/**
 * A statement written as SQL: for frequent queries, which would take longer to build than to answer, and for doing
 * several things in one round trip. Values are given by name (`:userId`). Column names become camel case, as
 * everywhere.
 */
export function statement<Takes extends SqlTypes, Gives extends SqlTypes>(
  { takes, gives }: { takes: Takes; gives: Gives },
  text: string,
): (on: Db | Transaction, ...values: Values<Takes>) => Promise<RowOf<Gives>[]> {
  const numbered = numberValues(text, takes);
  statements.push({ ...numbered, takes, gives });
  const sent = numbered.names.map((name) => [name, takes[name]] as const);
  return async (on, ...[values = {}]: [values?: Record<string, unknown>]) => {
    const encoded = sent.map(([name, type]) => {
      const value = values[name];
      return type?.encode && value !== null ? type.encode(value) : value;
    });
    return (await on.executeQuery<RowOf<Gives>>(CompiledQuery.raw(numbered.text, encoded))).rows;
  };
}

/**
 * The last statement of a transaction, sent together with its COMMIT: its locks last only as long as the disk write,
 * however busy this process is. To undo the transaction, this statement has to fail. It may take only values that the
 * driver can always send: an error of the driver does not stop the COMMIT. Any later statement of the transaction is an
 * error.
 */
export function statementWithCommit<Takes extends SqlTypes, Gives extends SqlTypes>(
  types: { takes: Takes; gives: Gives },
  text: string,
): (trx: Transaction, ...values: Values<Takes>) => Promise<RowOf<Gives>[]> {
  return statement(types, WITH_COMMIT + text);
}

/** A duration in ms as SQL text, for SQL that several statements share. */
export function intervalSql(duration: number): string {
  return `interval '${duration} ms'`;
}

/** A duration in ms for a query built by Kysely. */
export function millisecondsSql(duration: number): RawBuilder<string> {
  return sql`${`${duration} ms`}::interval`;
}

/**
 * Replaces `:name` by `$1`, always the same number for the same name; a cast (`::int`) stays. Throws if the names are
 * not those declared.
 */
function numberValues(text: string, takes: SqlTypes): { text: string; names: string[] } {
  const names: string[] = [];
  const numbered = text.replace(/(?<![:\w]):([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const declared = Object.keys(takes);
  const wrong = [
    ...names.filter((name) => !declared.includes(name)),
    ...declared.filter((name) => !names.includes(name)),
  ];
  if (wrong.length > 0) throw new Error(`Values that are only declared, or only used: ${wrong.join(", ")} in ${text}`);
  return { text: numbered, names };
}
