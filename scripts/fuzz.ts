import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// `npm run fuzz`: a million requests at every door of the shop and of the office, and files and texts beside them (tests/fuzz/). --cases N: so many.
// --seed N: the same ones again. What is found is added to tests/fuzz/found.json, which every run begins with.

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
