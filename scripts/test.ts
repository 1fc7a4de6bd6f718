import { spawnSync } from "node:child_process";
import os from "node:os";
import { BROWSERS, CHROMIUM_PACKAGES, ensureBrowsers } from "./browser-packages.ts";
import { buildIfChanged } from "./build.ts";
import { runTests } from "./vitest.ts";

// `npm test`: all tests without a browser, every tenth case of the slow ones, and the main journeys in Chromium. The
// quick steps come first. `npm run test:all` (--all): also all cases, all journeys, the supply chain and the other
// browsers. Words after `--` (a file, -t a name) go to Vitest, and nothing else runs then.

type Counted = { passed: number; failed: number; unstable?: unknown[] };
/** `isQuick`: where it fails, the steps after it are not begun. */
type Step = { name: string; isQuick?: boolean; run: () => Counted };

const wanted = process.argv.slice(2).filter((word) => word !== "--all");
const isAll = process.argv.includes("--all");

await ensureBrowsers(isAll ? BROWSERS : [CHROMIUM_PACKAGES]);
await buildIfChanged();
if (wanted.length > 0) process.exit(run("vitest", ["run", ...wanted]));

const STEPS: Step[] = [
  { name: "types", isQuick: true, run: () => checked(typesAreRight) },
  { name: "lint", isQuick: true, run: () => checked(() => run("biome", ["check", "--error-on-warnings", "."]) === 0) },
  ...(isAll ? [{ name: "supply", isQuick: true, run: () => checked(() => script("supply", "--offline") === 0) }] : []),
  { name: "house rules", isQuick: true, run: () => runTests([], { TEST_GROUP: "house" }) },
  {
    name: "tests without a browser",
    run: () => runTests([], { TEST_GROUP: "rooms", ...(!isAll && { TEST_SHARE: "tenth" }) }),
  },
  { name: "main journeys", run: () => runTests([], { TEST_GROUP: "main-journeys" }) },
  ...(isAll
    ? [
        { name: "other journeys", run: () => runTests([], { TEST_GROUP: "other-journeys" }) },
        { name: "other browsers", run: () => checked(() => script("browsers") === 0) },
      ]
    : []),
];

const total = { passed: 0, failed: 0, unstable: 0 };
const told: string[] = [];
for (const { name, isQuick, run } of STEPS) {
  process.stdout.write(`== ${name}: begins ${new Date().toISOString()}\n`);
  const begun = { wall: performance.now(), processor: processorSeconds() };
  const { passed, failed, unstable = [] } = run();
  const wall = Math.round((performance.now() - begun.wall) / 1000);
  const used = Math.round(processorSeconds() - begun.processor);
  total.passed += passed;
  total.failed += failed;
  total.unstable += unstable.length;
  const outcome = failed === 0 ? "passed" : "FAILED";
  told.push(`== ${name}: ${outcome}, ${passed} passed, ${failed} failed, ${wall} s, ${used} s of processor`);
  process.stdout.write(`${told.at(-1)}\n`);
  if (isQuick && failed > 0) break;
}
process.stdout.write(`\n${told.join("\n")}\n`);
if (total.unstable > 0) process.stdout.write(`${total.unstable} unstable, named above\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed ? 1 : 0);

function typesAreRight(): boolean {
  return run("react-router", ["typegen"]) === 0 && run("tsc", ["--noEmit", "-p", "."]) === 0;
}

function checked(works: () => boolean): Counted {
  return works() ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Seconds in which the machine's processors have worked, for whomever: databases and browsers are no children of this. */
function processorSeconds(): number {
  return os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0) / 1000;
}

function script(name: string, ...args: string[]): number {
  return run(process.execPath, [`scripts/${name}.ts`, ...args]);
}

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;
}
