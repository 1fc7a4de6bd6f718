import { parseArgs } from "node:util";
import { playBackup } from "../tests/drills/backup.ts";
import { missingForDatabase, playDatabase } from "../tests/drills/database.ts";
import { type Drill, newDrill, summary } from "../tests/drills/drill.ts";
import { playPictures } from "../tests/drills/pictures.ts";
import { playRelease } from "../tests/drills/release.ts";
import { playSecret } from "../tests/drills/secret.ts";
import { buildIfChanged } from "./build.ts";

// `npm run drill -- NAME`: something is lost, stolen or broken, and recovered as docs/running.md says, on a separate shop. Prints how long
// each step took; ends with 1 if a goal was missed. Without a name it runs all.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { gigabytes: { type: "string", default: "0.5" } },
});
process.env.LOG_LEVEL ??= "silent"; // every deliberate failure would be logged

const drills: Record<string, (drill: Drill) => Promise<void>> = {
  backup: (drill) => playBackup(drill, Number(values.gigabytes)),
  database: playDatabase,
  pictures: playPictures,
  secret: playSecret,
  release: playRelease,
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
  const missing = name === "database" ? missingForDatabase() : [];
  if (missing.length > 0) {
    skipped.push(`${name} (not installed: ${missing.join(", ")})`);
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
