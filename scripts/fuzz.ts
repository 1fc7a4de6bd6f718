import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// `npm run fuzz`: a million requests to every entry point of the shop and the office, and files and texts (tests/fuzz/). --cases N: how many.
// --seed N: repeats a run. Findings are added to tests/fuzz/found.json, which every run tries first.

const { values: asked } = parseArgs({ options: { cases: { type: "string" }, seed: { type: "string" } } });
const settings = {
  FUZZ_CASES: asked.cases ?? "1000000",
  ...(asked.seed && { FUZZ_SEED: asked.seed }),
  FUZZ_KEEP: "1",
};
const { status } = spawnSync("vitest", ["run", "tests/fuzz"], {
  stdio: "inherit",
  env: { ...process.env, ...settings },
});
process.exit(status ?? 1);
