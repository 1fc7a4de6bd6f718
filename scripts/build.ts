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
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { writeProvenance } from "./provenance.ts";

/** Everything that goes into a build: a change makes another build. */
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
  "package-lock.json",
];
const BUILDS = "build";
/** How many builds are kept: a running shop may still serve an older one, and pages opened before an update ask for its scripts. */
const KEPT = 5;

/**
 * The folder of the build of the present sources, made if missing. A running shop keeps the build it was started with; IREPO_BUILD
 * names one to use unchecked, as in an image.
 */
export async function buildIfChanged(): Promise<string> {
  if (process.env.IREPO_BUILD) return process.env.IREPO_BUILD;
  const folder = path.resolve(BUILDS, fingerprint().slice(0, 16));
  if (!existsSync(folder)) await build(folder);
  markUsed(folder);
  return folder;
}

/** The builds used last are kept. Without write access, as in a container, none is removed either. */
export function markUsed(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch (error) {
    if (!["EROFS", "EPERM", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Made beside its place and moved there when complete. */
async function build(folder: string): Promise<void> {
  process.stderr.write("Building (only when something has changed) ...\n");
  const unfinished = `${folder}.${process.pid}`;
  const apps = { shop: unfinished, office: path.join(unfinished, "office") };
  try {
    await Promise.all(Object.entries(apps).map(([app, place]) => buildApp(app, place)));
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    process.stderr.write(`${stdout}\n${stderr}\nThe build failed.\n`);
    rmSync(unfinished, { recursive: true, force: true });
    process.exit(1);
  }
  for (const place of Object.values(apps)) compressAssets(path.join(place, "client/assets"));
  writeProvenance(unfinished, SOURCES);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true }); // another start was quicker
  }
  removeOldBuilds();
}

/** Each build empties only its own folders, so both can run at once. */
async function buildApp(app: string, place: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: "production", BUILD_DIRECTORY: place, IREPO_APP: app };
  await promisify(execFile)(process.execPath, ["node_modules/@react-router/dev/bin.cjs", "build"], { env });
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
