import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { inOneLine, Problem } from "#app/infra/problem.server.ts";
import { type Account, canReach, nativeVersion, SHARED_HOME } from "./binaries.server.ts";
import { renameOnce } from "./rename-once.server.ts";

/** Whether the folder holds a database already. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(path.join(dataDir, "postgres/PG_VERSION"));
}

/**
 * DATA_DIR/postgres, or its target where it is a symbolic link. The link is created if `account` cannot reach DATA_DIR.
 */
export function clusterFolder(dataDir: string, account?: Account): string {
  const folder = path.join(dataDir, "postgres");
  const link = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink();
  if (link) {
    const target = path.resolve(dataDir, readlinkSync(folder));
    if (!existsSync(target)) mkdirSync(target, { recursive: true });
    return target;
  }
  if (!account || existsSync(folder) || canReach(realpathSync(dataDir), account)) return folder;
  const elsewhere = path.join(SHARED_HOME, `data-${randomBytes(6).toString("hex")}`);
  mkdirSync(SHARED_HOME, { recursive: true, mode: 0o755 });
  symlinkSync(elsewhere, folder);
  process.stdout.write(`The database's user cannot reach ${folder}: its files lie in ${elsewhere}\n`);
  return elsewhere;
}

/** Throws where another major version of PostgreSQL has made the cluster. */
export function refuseOtherVersion(cluster: string): void {
  const made = readFileSync(path.join(cluster, "PG_VERSION"), "utf8").trim();
  const [own] = nativeVersion().split(".");
  if (made === own) return;
  throw new Problem(
    `DATA_DIR: the database in ${cluster} is of PostgreSQL ${made}, and this version of the shop brings ${own}, which cannot read it: start the version of the shop that made it, or move its rows with pg_dump to a PostgreSQL that DATABASE_URL names`,
  );
}

/** A process group of its own, so that a terminal's Ctrl-C reaches the shop alone. */
const OWN_GROUP = { detached: true };
const INITDB = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];

/**
 * Creates the cluster in a temporary folder and renames it when it is complete, so that an interrupted first start
 * leaves no half cluster.
 */
export function initialise(binaries: string, cluster: string, password: string, account?: Account): void {
  mkdirSync(path.dirname(cluster), { recursive: true });
  const unfinished = mkdtempSync(`${cluster}.new-`);
  const passwordFile = `${unfinished}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) for (const place of [unfinished, passwordFile]) chownSync(place, account.uid, account.gid);
  const made = spawnSync(
    path.join(binaries, "bin/initdb"),
    ["-D", unfinished, "-U", "irepo", `--pwfile=${passwordFile}`, ...INITDB],
    { ...account, ...OWN_GROUP, cwd: "/", encoding: "utf8" },
  );
  rmSync(passwordFile);
  if (made.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const why = inOneLine(made.error?.message ?? made.stderr);
    throw new Problem(`DATA_DIR: the database could not be made in ${cluster}: ${why}`);
  }
  renameOnce(unfinished, cluster);
}
