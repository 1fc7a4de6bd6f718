import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { buildIfChanged } from "./build.ts";
import { countTests } from "./vitest.ts";

// What `npm test` runs. Words after `--` (a file, -t a name) go to Vitest, and nothing else runs then.
const wanted = process.argv.slice(2);
const CHROMIUM = "/usr/bin/chromium";

ensureChromium();
await buildIfChanged();
if (wanted.length > 0) process.exit(run("vitest", ["run", ...wanted]));

let passed = 0;
let failed = 0;
count("types", () => run("react-router", ["typegen"]) === 0 && run("tsc", ["--noEmit", "-p", "."]) === 0);
count("lint", () => run("biome", ["check", "--error-on-warnings", "."]) === 0);
const tests = countTests();
passed += tests.passed;
failed += tests.failed;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed ? 1 : 0);

function count(name: string, works: () => boolean): void {
  const ok = works();
  process.stdout.write(`${ok ? "passed" : "FAILED"}: ${name}\n`);
  ok ? passed++ : failed++;
}

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;
}

/** The journeys need a browser: Debian's is installed when it is missing and this user may. */
function ensureChromium(): void {
  if (existsSync(CHROMIUM)) return;
  const may = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (may) {
    process.stderr.write("Installing Debian's Chromium for the browser tests ...\n");
    spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  if (existsSync(CHROMIUM)) return;
  process.stderr.write(`The browser tests need Chromium at ${CHROMIUM}: apt-get install chromium\n`);
  process.exit(1);
}
