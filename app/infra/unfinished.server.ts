import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "#app/infra/error-fields.ts";

/** Beside the shop's own files: each note names a file elsewhere that a process is about to complete. */
const NOTES = "unfinished";

/**
 * Runs `work`, which makes the file `target`, and is removed where that fails. Should the process end before, the next start finds the file and removes it,
 * by a note in `dataDir`, if there is one.
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

/** Removes what processes that are gone were about to complete. */
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
