import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { csvText, SPREADSHEET_MARK } from "#app/infra/document/csv.ts";
import { env } from "#app/infra/env.server.ts";
import { lineOf } from "#app/infra/problem.server.ts";

/**
 * `code` is 0 if the work is done, 1 if something is wrong, 2 for bad input. `data` is printed with --json, `text`
 * without.
 */
export type Result = { code: 0 | 1 | 2; data: unknown; text: string };

/**
 * `true` is a flag. "N" is an option with one value, which its usage calls N. ["ID:SIZE:N"] may be given several times.
 */
export type Options = Record<string, true | string | [string]>;
type OptionValues<O extends Options> = {
  [K in keyof O]?: O[K] extends true ? boolean : O[K] extends string ? string : string[];
};
/** The values of an action's words, its positional arguments, by name. Words in brackets are optional and come last. */
type WordValues<W extends string> = { [K in W as K extends `[${string}]` ? never : K]: string } & {
  [K in W as K extends `[${infer Name}]` ? Name : never]?: string;
};

/** What every action is given beside its own words and options. */
export type Context = {
  db: Db;
  /** Who gave the command. */
  by: Actor;
  /** Whether a program reads the answer: lists are then complete, not paged. */
  json: boolean;
  /** Asks before something is done. Any answer but yes ends the command with nothing done. */
  confirm(question: string): Promise<void>;
};

type Declared<W extends string, O extends Options> = {
  words?: readonly W[];
  options?: O;
  says: string;
  /** Whether the action changes something in the shop or exports customers' data. Both leave a row in the audit log. */
  changes: boolean;
  /** The action needs rights that the shop's own database role does not have. */
  asOwner?: boolean;
  /** The database is created, or migrated to this version, before the action runs. */
  migrates?: boolean;
  run(given: Context & { words: WordValues<W>; options: OptionValues<O> }): Promise<Result>;
};
/**
 * One action, such as `orders refund`. It declares all words and options that may follow its name; others are refused.
 */
export type Action = {
  words: readonly string[];
  options: Options;
  says: string;
  changes: boolean;
  asOwner: boolean;
  migrates: boolean;
  run(given: Context, words: Record<string, string>, options: Record<string, unknown>): Promise<Result>;
};
/** Actions by their whole name: "orders refund", "check". */
export type Actions = Record<string, Action>;

export function action<const W extends string = never, const O extends Options = Record<never, never>>({
  words = [],
  options,
  says,
  changes,
  asOwner = false,
  migrates = false,
  run,
}: Declared<W, O>): Action {
  return {
    words,
    options: options ?? {},
    says,
    changes,
    asOwner,
    migrates,
    run: (context, given, chosen) =>
      run({ ...context, words: given as WordValues<W>, options: chosen as OptionValues<O> }),
  };
}

export function badInput(text: string): Result {
  return { code: 2, data: { error: text }, text };
}

/** Whether the command could not do its work. A `check` that finds something has done its work. */
export function hasFailed({ code, data }: Result): boolean {
  return code === 2 || (typeof data === "object" && data !== null && "error" in data);
}

/** The result of a command that has thrown an error. */
export function failure(error: unknown): Result {
  // A BadInput may have several lines, such as one for each change; other errors are reduced to one line.
  const text = error instanceof BadInput ? error.message : lineOf(error, env.dataDir);
  return { code: error instanceof BadInput ? 2 : 1, data: { error: text }, text };
}

/** These columns of the rows as CSV, with the byte order mark that spreadsheets expect. */
export function csvOf<Row extends object>(rows: Row[], columns: (keyof Row & string)[]): string {
  return SPREADSHEET_MARK + csvText(rows, { columns });
}

/** Shows the progress of long work on stderr if that is a terminal. A script that reads the output does not see it. */
export function progress(what: string, all: number): (done: number) => void {
  if (!process.stderr.isTTY || all < 10) return () => {};
  return (done) => void process.stderr.write(`\r${done} of ${all} ${what}${done === all ? "\n" : ""}`);
}
