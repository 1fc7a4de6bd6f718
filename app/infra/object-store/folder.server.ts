import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "#app/infra/error-fields.ts";
import { isRunning } from "#app/infra/unfinished.server.ts";
import type { ObjectStore } from "./object-store.ts";

const UNFINISHED = /\.(\d+)\.[a-z0-9]+$/;

export function folderStore(folder: string): ObjectStore {
  const at = (name: string) => path.join(folder, name);
  return {
    read: (name) => readFile(at(name)).catch(unlessMissing),
    async write(name, bytes) {
      await mkdir(path.dirname(at(name)), { recursive: true, mode: 0o700 });
      const unfinished = `${at(name)}.${process.pid}.${Math.random().toString(36).slice(2)}`;
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, at(name));
    },
    remove: (name) => rm(at(name), { force: true }),
    async *list(which) {
      const options = { recursive: which === "all", withFileTypes: true } as const;
      for (const entry of (await readdir(folder, options).catch(unlessMissing)) ?? []) {
        const name = path.relative(folder, path.join(entry.parentPath, entry.name));
        if (!entry.isDirectory() && !UNFINISHED.test(name)) yield name.split(path.sep).join("/");
      }
    },
  };
}

function unlessMissing(error: unknown): undefined {
  if (!["ENOENT", "ENOTDIR"].includes(errorCode(error))) throw error;
}

/**
 * Removes unfinished files whose writing process has ended, if `isOurs` accepts the name that the finished file would
 * have.
 */
export async function removeUnfinishedFiles(folder: string, isOurs: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(folder, { recursive: true }).catch(unlessMissing)) ?? []) {
    const [ending, pid] = UNFINISHED.exec(name) ?? [];
    if (ending && isOurs(name.slice(0, -ending.length)) && !isRunning(Number(pid)))
      await rm(path.join(folder, name), { force: true });
  }
}
