import Papa from "papaparse";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { lineOf } from "#app/infra/problem.server.ts";

/** code 0: done, 1: found something wrong, 2: bad input; `data` is printed with --json, `text` without. */
export type Result = { code: 0 | 1 | 2; data: unknown; text: string };
/** `asOwner`: it does what the shop's own role may not. */
export type Command = { usage: string[]; asOwner?: boolean; run(db: Db, args: string[]): Promise<Result> };

export function badInput(text: string): Result {
  return { code: 2, data: { error: text }, text };
}

/** What a command comes to that has thrown. */
export function failure(error: unknown): Result {
  const text = lineOf(error, env.dataDir);
  return { code: error instanceof BadInput ? 2 : 1, data: { error: text }, text };
}

/** A table of what strangers typed: a spreadsheet would carry out what looks like a formula. */
export function csvOf<Row extends object>(rows: Row[], columns: (keyof Row & string)[]): string {
  return Papa.unparse(rows, { columns, escapeFormulae: true });
}

/** Says on a terminal how far long work is; a script that reads the output sees nothing of it. */
export function progress(what: string, all: number): (done: number) => void {
  if (!process.stderr.isTTY || all < 10) return () => {};
  return (done) => void process.stderr.write(`\r${done} of ${all} ${what}${done === all ? "\n" : ""}`);
}
