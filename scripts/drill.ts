import { playBackup } from "../tests/drills/backup.ts";
import { missingForDatabase, playDatabase } from "../tests/drills/database.ts";
import { missingForDisk, playDisk } from "../tests/drills/disk.ts";
import { type Drill, newDrill, summary } from "../tests/drills/drill.ts";
import { missingForImage, playImage } from "../tests/drills/image.ts";
import { playPictures } from "../tests/drills/pictures.ts";
import { playRelease } from "../tests/drills/release.ts";
import { playSecret } from "../tests/drills/secret.ts";
import { missingForServer, playServer } from "../tests/drills/server.ts";
import { playUpdate } from "../tests/drills/update.ts";
import { buildIfChanged } from "./build.ts";
import { readArguments } from "./usage.ts";

// `npm run drill -- NAME`: on a separate shop, something is lost, stolen or broken, then recovered as docs/running.md
// says. Prints how long each step took; ends with 1 if a goal was missed. Without a name it runs all drills.

const { values, positionals } = readArguments("drill", {
  allowPositionals: true,
  options: { gigabytes: { type: "string", default: "0.5" } },
});
process.env.LOG_LEVEL ??= "silent"; // otherwise every deliberate failure is logged

const drills: Record<string, (drill: Drill) => Promise<void>> = {
  backup: (drill) => playBackup(drill, Number(values.gigabytes)),
  database: playDatabase,
  disk: playDisk,
  pictures: playPictures,
  secret: playSecret,
  release: playRelease,
  update: playUpdate,
  server: playServer,
  image: playImage,
};
/** For drills that need programs that npm does not install: those that are missing on this machine. */
const engines: Record<string, () => string[]> = {
  database: missingForDatabase,
  disk: missingForDisk,
  server: missingForServer,
  image: missingForImage,
};
const unknown = positionals.filter((name) => !Object.hasOwn(drills, name));
if (unknown.length > 0 || Number.isNaN(Number(values.gigabytes))) {
  process.stderr.write(`npm run drill -- [${Object.keys(drills).join(" | ")}] [--gigabytes N]\n`);
  process.exit(2);
}
await buildIfChanged();
const names = positionals.length > 0 ? positionals : Object.keys(drills);
const skipped: string[] = [];
let missed = 0;
let drill = newDrill();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void drill.end().then(() => process.exit(130)));
for (const name of names) {
  process.stdout.write(`\n${name}\n`);
  const missing = engines[name]?.() ?? [];
  if (missing.length > 0) {
    skipped.push(`${name} (missing: ${missing.join(", ")})`);
    continue;
  }
  drill = newDrill();
  try {
    await drills[name]?.(drill);
  } finally {
    await drill.end();
  }
  if (!drill.isMet()) missed++;
}
process.stdout.write(`\n${summary({ tried: names.length - skipped.length, missed, skipped })}\n`);
process.exit(missed > 0 ? 1 : 0);
