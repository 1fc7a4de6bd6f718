import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** All that is built in, and how: a change makes another build. */
export const SOURCES = [
  "app",
  "cli",
  "db/demo/shipping.json",
  "db/migrations",
  "public",
  "scripts/build.ts",
  "server.ts",
  "worker.ts",
  "vite.config.ts",
  "react-router.config.ts",
  "package-lock.json",
];
const BUILDS = "build";
/** Older ones may still be served by a shop that runs, and their scripts are asked for by pages opened before an update. */
const KEPT = 5;

/**
 * The folder of what is built from the sources as they are now; built when it is not there. A shop that runs keeps the one it was started with, and
 * IREPO_BUILD names one that is not to be looked at: that of an image.
 */
export function buildIfChanged(): string {
  if (process.env.IREPO_BUILD) return process.env.IREPO_BUILD;
  const folder = path.resolve(BUILDS, fingerprint().slice(0, 16));
  if (!existsSync(folder)) build(folder);
  markUsed(folder);
  return folder;
}

/** Those used last are kept. Who may write nothing, as in a container, removes no builds either. */
export function markUsed(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch (error) {
    if (!["EROFS", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Made beside its place and moved there when complete. */
function build(folder: string): void {
  process.stderr.write("Building (only when something has changed) ...\n");
  const unfinished = `${folder}.${process.pid}`;
  const built = spawnSync(process.execPath, ["node_modules/@react-router/dev/bin.cjs", "build"], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", BUILD_DIRECTORY: unfinished },
  });
  if (built.status !== 0) {
    process.stderr.write(`${built.stdout}\n${built.stderr}\nThe build failed.\n`);
    rmSync(unfinished, { recursive: true, force: true });
    process.exit(1);
  }
  compressAssets(path.join(unfinished, "client/assets"));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true }); // another start was quicker
  }
  removeOldBuilds();
}

function removeOldBuilds(): void {
  const places = readdirSync(BUILDS).map((name) => path.join(BUILDS, name));
  const newestFirst = places.map((place) => ({ place, used: statSync(place).mtimeMs })).sort((a, b) => b.used - a.used);
  for (const { place } of newestFirst.slice(KEPT)) rmSync(place, { recursive: true, force: true });
}

/** Beside each script and style its compressed forms, as small as they get. */
function compressAssets(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => /\.(js|css)$/.test(one))) {
    const bytes = readFileSync(path.join(folder, name));
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Names, sizes and times of the sources: reading every byte would slow down each start. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const add = (place: string): void => {
    const stat = statSync(place, { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) for (const name of readdirSync(place).sort()) add(path.join(place, name));
    else if (!place.includes(".test.")) hash.update(`${place} ${stat.size} ${stat.mtimeMs}\n`);
  };
  for (const source of SOURCES) add(source);
  return hash.digest("hex");
}
