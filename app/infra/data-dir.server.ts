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
import path from "node:path";
import { errorCode } from "#app/infra/error-fields.ts";

const OF_OTHERS = 0o077;
/** PostgreSQL guards its own files. */
const CLUSTER = "postgres";

/**
 * Makes DATA_DIR where it is missing, and closes it to everybody else with all that is in it. `passableBy` names the group of the user who runs the
 * database for root: it may pass through to its own folder, and read nothing.
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

/** A closed folder protects its contents, so it is not traversed again. Links are not followed. */
function close(folder: string, entry: Dirent): void {
  if (!entry.isFile() && !entry.isDirectory()) return;
  const place = path.join(folder, entry.name);
  const isOpen = (statSync(place).mode & OF_OTHERS) !== 0;
  if (isOpen) chmodSync(place, entry.isDirectory() ? 0o700 : 0o600);
  if (isOpen && entry.isDirectory())
    for (const inner of readdirSync(place, { withFileTypes: true })) close(place, inner);
}

/** A random text that is made once and kept in `file`; of several processes that make it at once, the first one's counts. */
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
