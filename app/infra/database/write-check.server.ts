import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { keepsFiles } from "#app/infra/data-dir.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import type { Db } from "./db.server.ts";

/** The database is checked at most once in this time. */
const CHECK_INTERVAL = SECOND;
const ANSWER_WITHIN = 2 * SECOND;

/**
 * Checks whether written data is kept: a row is written, committed and read again, and there is room on the disks of
 * the database and of `dataDir`, if the shop uses one. False after two seconds without an answer. Calls during a check,
 * or within a second of the last one, share its result. Never throws; safe to repeat.
 */
export function writeCheck(on: () => Db, dataDir?: string): () => Promise<boolean> {
  let checked: Promise<boolean> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isChecking = false;
  return () => {
    if (!checked || (!isChecking && performance.now() - checkedAt > CHECK_INTERVAL)) {
      isChecking = true;
      checked = keepsAll(on, dataDir).finally(() => {
        checkedAt = performance.now();
        isChecking = false;
      });
    }
    return Promise.race([checked, sleep(ANSWER_WITHIN, false, { ref: false })]);
  };
}

async function keepsAll(on: () => Db, dataDir: string | undefined): Promise<boolean> {
  try {
    if (!(await writesAndReads(on))) return false;
    await takesRoom(on);
    if (dataDir) await keepsFiles(dataDir);
    return true;
  } catch (error) {
    log.warn({ err: error }, "what is written is not kept");
    return false;
  }
}

async function writesAndReads(on: () => Db): Promise<boolean> {
  const { writtenAt } = await on()
    .insertInto("writeCheck")
    .defaultValues()
    .onConflict((conflict) =>
      conflict.column("isOnly").doUpdateSet((eb) => ({ writtenAt: eb.ref("excluded.writtenAt") })),
    )
    .returning("writtenAt")
    .executeTakeFirstOrThrow();
  // Another instance may have written since then, but never an earlier time.
  const read = await on()
    .selectFrom("writeCheck")
    .select("isOnly")
    .where("writtenAt", ">=", writtenAt)
    .executeTakeFirst();
  return read !== undefined;
}

/**
 * Checks for room on the database's disk. The one row fits on a full disk, too, since its page and the log's file exist
 * already. A result that exceeds the memory for sorting makes the database write a temporary file of about a megabyte,
 * which is removed with the statement.
 */
async function takesRoom(on: () => Db): Promise<void> {
  await on()
    .transaction()
    .execute(async (trx) => {
      await sql`select set_config('work_mem', '64kB', true)`.execute(trx);
      await sql`select count(*) from generate_series(1, 50000)`.execute(trx);
    });
}
