import { BROWSERS, CHROMIUM_PACKAGES, ensureBrowsers } from "./browser-packages.ts";
import { browserSteps } from "./browser-steps.ts";
import { buildIfChanged } from "./build.ts";
import { run } from "./run.ts";
import { play, type Step } from "./steps.ts";

// `npm test`: all tests without a browser, every tenth case of the slow ones, and the main journeys in Chromium. The
// quick steps come first. `npm run test:all` (--all): also all cases, all journeys, the supply chain and the other
// browsers. Words after `--` (a file, -t a name) go to Vitest, and nothing else runs then.

const wanted = process.argv.slice(2).filter((word) => word !== "--all");
const isAll = process.argv.includes("--all");

await ensureBrowsers(isAll ? BROWSERS : [CHROMIUM_PACKAGES]);
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

function group(name: string): Record<string, string> {
  return { TEST_GROUP: name, TEST_SHARE: isAll ? "all" : "tenth", BROWSER: "" };
}

async function works(command: string, ...words: string[]): Promise<boolean> {
  return (await run(command, words)).code === 0;
}
