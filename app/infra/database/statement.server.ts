import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { type Db, type Transaction, WITH_COMMIT } from "./db.server.ts";

/** The type of a value or column: PostgreSQL's name of it, and `T`, what it is here. */
export type SqlType<T> = {
  name: string;
  isNullable: boolean;
  readonly means?: T;
  /** How a value is sent, where the driver would send it as something else. */
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
  /** More than a number keeps: read as text. */
  bigint: named<string>("int8"),
  /** A sum that a number keeps, as a value to write. */
  bigintFrom: named<number>("int8"),
  numeric: named<string>("numeric"),
  time: named<Date>("timestamptz"),
  timeFrom: named<Date | string>("timestamptz"),
  bytes: named<Buffer>("bytea"),
  json: <T>(): SqlType<T> => ({ ...named<T>("jsonb"), encode: (value) => JSON.stringify(value) }),
  /** In milliseconds, as a value to reckon with. */
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
 * A statement declared as SQL: for frequent queries, which would take longer to build than to answer, and for doing several things in one round
 * trip. Values are given by name (`:userId`). Columns get camel case names, as everywhere.
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
 * The last statement of a transaction, sent together with its COMMIT: its locks last as long as the disk write, however busy this process is. It must
 * fail if the transaction is to be undone, and may take only values that the driver can always send: an error of the driver does not stop the
 * COMMIT. Another statement after it is an error.
 */
export function statementWithCommit<Takes extends SqlTypes, Gives extends SqlTypes>(
  types: { takes: Takes; gives: Gives },
  text: string,
): (trx: Transaction, ...values: Values<Takes>) => Promise<RowOf<Gives>[]> {
  return statement(types, WITH_COMMIT + text);
}

/** A length of time as SQL text, for parts that statements share. */
export function interval(duration: number): string {
  return `interval '${duration} ms'`;
}

/** A length of time in a query of Kysely's. */
export function milliseconds(duration: number): RawBuilder<string> {
  return sql`${`${duration} ms`}::interval`;
}

/** `:name` becomes `$1`, the same one each time; a cast (`::int`) stays. Throws where the names are not those declared. */
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
