import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "#app/infra/error-fields.ts";

/** The folder of notes in DATA_DIR: each names a file elsewhere that a process is writing. */
const NOTES = "unfinished";

/**
 * Runs `work`, which creates the file `target`. After an error the file is removed, unless it was there before
 * (EEXIST). If the process ends during `work`, the next start removes the file: a note in `dataDir`, if there is one,
 * names it.
 */
export async function completing<T>(dataDir: string | undefined, target: string, work: () => Promise<T>): Promise<T> {
  const note = dataDir && path.join(dataDir, NOTES, `${process.pid}.${randomUUID()}`);
  if (note) {
    mkdirSync(path.dirname(note), { recursive: true, mode: 0o700 });
    writeFileSync(note, target, { mode: 0o600 });
  }
  try {
    return await work();
  } catch (error) {
    const isAnothers = errorCode(error) === "EEXIST";
    if (!isAnothers) rmSync(target, { force: true });
    throw error;
  } finally {
    if (note) rmSync(note);
  }
}

/** Removes unfinished files of processes that have ended. */
export function removeUnfinished(dataDir: string): void {
  const folder = path.join(dataDir, NOTES);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (isRunning(Number.parseInt(name, 10))) continue;
    const target = readFileSync(path.join(folder, name), "utf8");
    if (target.endsWith(".part")) rmSync(target, { force: true });
    rmSync(path.join(folder, name));
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
