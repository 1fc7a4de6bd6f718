import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import type { Db } from "./db.server.ts";

/** The database is asked at most once in this time. */
const CHECK_INTERVAL = SECOND;
const ANSWER_WITHIN = 2 * SECOND;

/**
 * Answers whether the database keeps what is written: a row is written, committed and read again. False after two seconds without an answer. Whoever
 * asks while a check is under way, or within a second of the last one, shares its answer. Never throws; safe to repeat.
 */
export function writeCheck(on: () => Db): () => Promise<boolean> {
  let checked: Promise<boolean> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isChecking = false;
  return () => {
    if (!checked || (!isChecking && performance.now() - checkedAt > CHECK_INTERVAL)) {
      isChecking = true;
      checked = writeAndRead(on).finally(() => {
        checkedAt = performance.now();
        isChecking = false;
      });
    }
    return Promise.race([checked, sleep(ANSWER_WITHIN, false, { ref: false })]);
  };
}

async function writeAndRead(on: () => Db): Promise<boolean> {
  try {
    const { writtenAt } = await on()
      .insertInto("writeCheck")
      .defaultValues()
      .onConflict((conflict) =>
        conflict.column("isOnly").doUpdateSet((eb) => ({ writtenAt: eb.ref("excluded.writtenAt") })),
      )
      .returning("writtenAt")
      .executeTakeFirstOrThrow();
    // Another instance may have written since: it is never older.
    const read = await on()
      .selectFrom("writeCheck")
      .select("isOnly")
      .where("writtenAt", ">=", writtenAt)
      .executeTakeFirst();
    return read !== undefined;
  } catch (error) {
    log.warn({ err: error }, "the database takes no writes");
    return false;
  }
}
