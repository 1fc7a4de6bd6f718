import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const SOURCES = [
  "app",
  "cli",
  "db/migrations",
  "public",
  "scripts/build.ts",
  "server.ts",
  "worker.ts",
  "vite.config.ts",
  "react-router.config.ts",
  "package-lock.json",
];
const STAMP = "build/fingerprint";

/** Builds when a source has changed since the last build. */
export function buildIfChanged(): void {
  const now = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === now) return;
  process.stderr.write("Building (only when something has changed) ...\n");
  const built = spawnSync(process.execPath, ["node_modules/@react-router/dev/bin.cjs", "build"], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (built.status !== 0) {
    process.stderr.write(`${built.stdout}\n${built.stderr}\nThe build failed.\n`);
    process.exit(1);
  }
  compressAssets();
  writeFileSync(STAMP, now);
}

/** Beside each script and style its compressed forms, as small as they get. */
function compressAssets(): void {
  const folder = "build/client/assets";
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
