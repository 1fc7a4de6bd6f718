import { browserSteps } from "./browser-steps.ts";
import { buildIfChanged } from "./build.ts";
import { BROWSERS, CHROMIUM_PROGRAM, ensurePrograms, OTHER_PROGRAMS, preferHeadlessShell } from "./debian-packages.ts";
import { run } from "./run.ts";
import { slowDown } from "./slowly.ts";
import { play, type Step } from "./steps.ts";

// `npm test`: all tests without a browser, every tenth case of the slow ones, and the main journeys in Chromium. The
// quick steps come first. `npm run test:all` (--all): also all cases, all journeys, the supply chain and the other
// browsers. Words after `--` (a file, -t a name) go to Vitest, and nothing else runs then. `--slowly
// 0.5` leaves the tests half of the processor time.

const { isAll, share, wanted } = words(process.argv.slice(2));
if (share) process.stdout.write(`With ${share} of the processor time, by ${slowDown(share)}\n`);

await ensurePrograms(isAll ? [...BROWSERS, ...OTHER_PROGRAMS] : [CHROMIUM_PROGRAM]);
if (isAll) await preferHeadlessShell();
await buildIfChanged();
if (wanted.length > 0) process.exit((await run("vitest", ["run", ...wanted])).code ?? 1);

const SUPPLY: Step = {
  name: "supply",
  isQuick: true,
  check: () => works(process.execPath, "scripts/supply.ts", "--offline"),
};
process.exit(
  await play([
    {
      name: "types",
      isQuick: true,
      check: async () => (await works("react-router", "typegen")) && (await works("tsc", "--noEmit", "-p", ".")),
    },
    { name: "lint", isQuick: true, check: () => works("biome", "check", "--error-on-warnings", ".") },
    ...(isAll ? [SUPPLY] : []),
    { name: "house rules", isQuick: true, settings: group("house") },
    { name: "tests without a browser", settings: group("rooms") },
    { name: "main journeys", settings: group("main-journeys") },
    ...(isAll ? [{ name: "other journeys", settings: group("other-journeys") }, ...browserSteps()] : []),
  ]),
);

function words(all: string[]): { isAll: boolean; share?: number; wanted: string[] } {
  const at = all.indexOf("--slowly");
  const share = at < 0 ? undefined : Number(all[at + 1]);
  if (share !== undefined && !(share > 0 && share < 1)) {
    process.stderr.write("--slowly takes a share of the processor time, such as 0.5.\n");
    process.exit(2);
  }
  const wanted = all.filter((word, index) => word !== "--all" && (at < 0 || (index !== at && index !== at + 1)));
  return { isAll: all.includes("--all"), share, wanted };
}

function group(name: string): Record<string, string> {
  return { TEST_GROUP: name, TEST_SHARE: isAll ? "all" : "tenth", BROWSER: "" };
}

async function works(command: string, ...words: string[]): Promise<boolean> {
  return (await run(command, words)).code === 0;
}
