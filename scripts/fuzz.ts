import { spawnSync } from "node:child_process";
import { readArguments } from "./usage.ts";

// `npm run fuzz`: a million requests to every entry point of the shop and the office, and many files and texts
// (tests/fuzz/). --cases N: the number of requests. --seed N: repeats a run. New findings go to tests/fuzz/found.json,
// which every run tries first.

const { values: asked } = readArguments("fuzz", { options: { cases: { type: "string" }, seed: { type: "string" } } });
/** Tests with generated cases outside tests/fuzz. */
const PROPERTIES = ["cart/merge", "orders/refund-plan", "money/exchange-rate", "offers/price"].map(
  (name) => `app/${name}.test.ts`,
);
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
