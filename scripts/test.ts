import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { CHROMIUM } from "#tests/support/browser.ts";
import { buildIfChanged } from "./build.ts";
import { countTests } from "./vitest.ts";

// What `npm test` runs. Words after `--` (a file, -t a name) go to Vitest, and nothing else runs then.
const wanted = process.argv.slice(2);

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

/** The journeys need a browser: Debian's is installed when there is none and this user may. */
function ensureChromium(): void {
  if (CHROMIUM) return;
  const may = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!may) {
    process.stderr.write(
      "The browser tests need Debian's Chromium: apt-get install chromium-headless-shell (or chromium)\n",
    );
    process.exit(1);
  }
  process.stderr.write("Installing Debian's Chromium for the browser tests ...\n");
  spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
  const code = run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell"]);
  if (code !== 0) process.exit(code);
}
