import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { csvText } from "#app/infra/document/csv.ts";
import { env } from "#app/infra/env.server.ts";
import { lineOf } from "#app/infra/problem.server.ts";

/** code 0: done, 1: found something wrong, 2: bad input; `data` is printed with --json, `text` without. */
export type Result = { code: 0 | 1 | 2; data: unknown; text: string };

/** `true` is a flag, "N" an option with one value that is called N, ["ID:SIZE:N"] one that may be given several times. */
export type Options = Record<string, true | string | [string]>;
type OptionValues<O extends Options> = {
  [K in keyof O]?: O[K] extends true ? boolean : O[K] extends string ? string : string[];
};
/** Words that must be there, then those in brackets, which may be missing. */
type WordValues<W extends string> = { [K in W as K extends `[${string}]` ? never : K]: string } & {
  [K in W as K extends `[${infer Name}]` ? Name : never]?: string;
};

/** What every action has at hand. */
export type Hand = {
  db: Db;
  /** Who gave the command. */
  by: Actor;
  /** The answer is for a program: lists are given whole. */
  json: boolean;
  /** Asks before something is done; whoever does not say yes ends the command with nothing done. */
  confirm(question: string): Promise<void>;
};

type Declared<W extends string, O extends Options> = {
  words?: readonly W[];
  options?: O;
  says: string;
  /** Changes something in the shop, or takes out customers' data: that leaves a row in the audit log. */
  changes: boolean;
  /** Does what the shop's own role in the database may not. */
  asOwner?: boolean;
  /** The database is made, or brought to this version, before it runs. */
  migrates?: boolean;
  run(given: Hand & { words: WordValues<W>; options: OptionValues<O> }): Promise<Result>;
};
/** One action, as `orders refund`: what may follow its name is all declared here, and anything else is refused. */
export type Action = {
  words: readonly string[];
  options: Options;
  says: string;
  changes: boolean;
  asOwner: boolean;
  migrates: boolean;
  run(given: Hand, words: Record<string, string>, options: Record<string, unknown>): Promise<Result>;
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
    run: (hand, given, chosen) => run({ ...hand, words: given as WordValues<W>, options: chosen as OptionValues<O> }),
  };
}

export function badInput(text: string): Result {
  return { code: 2, data: { error: text }, text };
}

/** What a command comes to that has thrown. */
export function failure(error: unknown): Result {
  const text = error instanceof BadInput ? error.message : lineOf(error, env.dataDir); // a difference has a line for each change
  return { code: error instanceof BadInput ? 2 : 1, data: { error: text }, text };
}

/** A table of these columns. */
export function csvOf<Row extends object>(rows: Row[], columns: (keyof Row & string)[]): string {
  return csvText(rows, { columns });
}

/** Says on a terminal how far long work is; a script that reads the output sees nothing of it. */
export function progress(what: string, all: number): (done: number) => void {
  if (!process.stderr.isTTY || all < 10) return () => {};
  return (done) => void process.stderr.write(`\r${done} of ${all} ${what}${done === all ? "\n" : ""}`);
}
