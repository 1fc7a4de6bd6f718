import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// `npm run fuzz`: a million requests to every entry point of the shop and the office, and files and texts (tests/fuzz/). --cases N: how many.
// --seed N: repeats a run, else each draws its own. Findings are added to tests/fuzz/found.json, which every run tries first.

const { values: asked } = parseArgs({ options: { cases: { type: "string" }, seed: { type: "string" } } });
/** Tests with generated cases elsewhere. */
const PROPERTIES = ["cart/merge", "orders/refund-plan", "money/exchange-rate"].map((name) => `app/${name}.test.ts`);
const settings = {
  FUZZ_CASES: asked.cases ?? "1000000",
  FUZZ_SEED: asked.seed ?? String(Math.floor(Math.random() * 2 ** 31)),
  FUZZ_KEEP: "1",
};
const { status } = spawnSync("vitest", ["run", "tests/fuzz", ...PROPERTIES], {
  stdio: "inherit",
  env: { ...process.env, ...settings },
});
process.exit(status ?? 1);
