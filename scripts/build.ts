import { execFile } from "node:child_process";
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
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { askedToEnd } from "./ending.ts";
import { writeProvenance } from "./provenance.ts";

/** The files that go into a build: a change in any of them leads to a new build. */
export const SOURCES = [
  "app",
  "cli",
  "db/demo/shipping.json",
  "db/migrations",
  "office",
  "public",
  "scripts/build.ts",
  "scripts/provenance.ts",
  "server.ts",
  "worker.ts",
  "vite.config.ts",
  "react-router.config.ts",
  "package.json",
  "package-lock.json",
];
const BUILDS = "build";
/**
 * The number of builds to keep. A running shop may still serve an older build, and pages opened before an update still
 * load the scripts of that build.
 */
const KEPT = 5;

/**
 * The folder of the build of the present sources, made if missing. A running shop keeps the build with which it
 * started. IREPO_BUILD names a build to use without this check, as in a container image.
 */
export async function buildIfChanged(): Promise<string> {
  if (process.env.IREPO_BUILD) return process.env.IREPO_BUILD;
  const folder = path.resolve(BUILDS, fingerprint().slice(0, 16));
  if (!existsSync(folder)) await build(folder);
  markUsed(folder);
  return folder;
}

/**
 * Marks a build as used now, since only the builds used last are kept. Without write access, as in a container, no
 * build is removed either.
 */
export function markUsed(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch (error) {
    if (!["EROFS", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Builds into a folder beside the final one and renames it when the build is complete. */
async function build(folder: string): Promise<void> {
  process.stderr.write("Building (only when something has changed) ...\n");
  const unfinished = `${folder}.${process.pid}`;
  const apps = { shop: unfinished, office: path.join(unfinished, "office") };
  const ending = askedToEnd();
  const builds = Object.entries(apps).map(([app, place]) => buildApp(app, place, ending.signal));
  try {
    await Promise.all(builds);
  } catch (error) {
    await Promise.allSettled(builds);
    await nextTurn(); // Ctrl-C also ends the builds, and their exit may be reported before the signal to this process
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    if (!ending.signal.aborted) process.stderr.write(`${stdout}\n${stderr}\nThe build failed.\n`);
    rmSync(unfinished, { recursive: true, force: true });
    process.exit(1);
  } finally {
    ending.forget();
  }
  for (const place of Object.values(apps)) compressAssets(path.join(place, "client/assets"));
  writeProvenance(unfinished, SOURCES);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true }); // another start has finished this build first
  }
  removeOldBuilds();
}

/** Each build empties only its own folders, so both can run at once. */
async function buildApp(app: string, place: string, ending: AbortSignal): Promise<void> {
  const env = { ...process.env, NODE_ENV: "production", BUILD_DIRECTORY: place, IREPO_APP: app };
  const building = promisify(execFile)(process.execPath, ["node_modules/@react-router/dev/bin.cjs", "build"], { env });
  ending.addEventListener("abort", () => building.child.kill());
  await building;
}

function removeOldBuilds(): void {
  const places = readdirSync(BUILDS).map((name) => path.join(BUILDS, name));
  const newestFirst = places.map((place) => ({ place, used: statSync(place).mtimeMs })).sort((a, b) => b.used - a.used);
  for (const { place } of newestFirst.slice(KEPT)) rmSync(place, { recursive: true, force: true });
}

/** Writes the compressed forms of each script and style sheet beside it, at the highest compression. */
function compressAssets(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => /\.(js|css)$/.test(one))) {
    const bytes = readFileSync(path.join(folder, name));
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** A hash of the sources' names, sizes and times of change: reading every byte would slow down each start. */
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
