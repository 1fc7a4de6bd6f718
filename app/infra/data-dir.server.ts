import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  type Dirent,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "#app/infra/error-fields.ts";

const OF_OTHERS = 0o077;
/** The folder of the embedded PostgreSQL, which sets and checks the permissions of its own files. */
const CLUSTER = "postgres";

/**
 * Creates DATA_DIR if it is missing, and takes away all permissions of other users on it and its contents.
 * `passableBy`: where the shop runs as root, the group of the user who runs the database. That group may traverse the
 * folder to reach its own, but not list or read it.
 */
export function keepDataDir(dataDir: string, passableBy?: number): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    const { uid, gid, mode } = statSync(dataDir);
    if (passableBy !== undefined && gid !== passableBy) chownSync(dataDir, uid, passableBy);
    const wanted = passableBy === undefined ? 0o700 : 0o710;
    if ((mode & 0o777) !== wanted) chmodSync(dataDir, wanted);
    for (const entry of readdirSync(dataDir, { withFileTypes: true }))
      if (entry.name !== CLUSTER) close(dataDir, entry);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
    process.stderr.write(`Warning: DATA_DIR: ${dataDir} belongs to somebody else, and others may read what is in it\n`);
  }
}

/**
 * Takes away the permissions of other users. A folder that they cannot enter protects its contents, so it is not
 * traversed. Symbolic links are skipped.
 */
function close(folder: string, entry: Dirent): void {
  if (!entry.isFile() && !entry.isDirectory()) return;
  const place = path.join(folder, entry.name);
  const isOpen = (statSync(place).mode & OF_OTHERS) !== 0;
  if (isOpen) chmodSync(place, entry.isDirectory() ? 0o700 : 0o600);
  if (isOpen && entry.isDirectory())
    for (const inner of readdirSync(place, { withFileTypes: true })) close(place, inner);
}

/**
 * A random text of hexadecimal digits, created once and kept in `file`. If several processes create it at once, all of
 * them get the first one's text.
 */
export function keptRandom(file: string, bytes: number): string {
  if (!existsSync(file)) {
    const unfinished = `${file}.${process.pid}`;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, randomBytes(bytes).toString("hex"), { mode: 0o600 });
    try {
      linkSync(unfinished, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    }
    rmSync(unfinished);
  }
  return readFileSync(file, "utf8").trim();
}

const A_MEGABYTE = 1024 * 1024;

/** Throws if a file of one megabyte cannot be stored in `dataDir`, for instance on a full disk. */
export async function keepsFiles(dataDir: string): Promise<void> {
  const file = path.join(dataDir, `.write-check.${process.pid}`);
  try {
    await writeFile(file, Buffer.alloc(A_MEGABYTE, "."), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}
