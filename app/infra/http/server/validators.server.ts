import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Validators } from "./conditional.ts";

/** The validators of each file that was requested. */
const known = new Map<string, Validators & { size: number; mtimeMs: number }>();

/**
 * The validators of a file; undefined if there is none. The tag depends on the content alone, so it is the same in
 * every build and on every machine.
 */
export async function validatorsOf(file: string): Promise<Validators | undefined> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  const { size, mtimeMs, mtime } = stats;
  const before = known.get(file);
  if (before?.size === size && before.mtimeMs === mtimeMs) return before;
  const hash = createHash("sha256")
    .update(await readFile(file))
    .digest("base64url");
  const found = { etag: `"${hash.slice(0, 27)}"`, lastModified: mtime.toUTCString(), size, mtimeMs };
  known.set(file, found);
  return found;
}
