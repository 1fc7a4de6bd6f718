import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// `npm run chaos`: a flash sale while everything breaks (tests/chaos/main.ts).
// --guards: removes each guard in turn, and runs two actors' steps in every order.
// --model N: N random sequences of actions, compared with the model; MODEL_SEED repeats a run.
// --matrix: each dependency dead, wrong and slow, against every journey.
// --machines: several machines, whose primary database is killed again and again; then rolling updates; then what still
// works under other faults, and which alarms fire. --kills N, --updates N or --faults runs only that part.

const { values: asked } = parseArgs({
  strict: false,
  options: {
    guards: { type: "boolean" },
    machines: { type: "boolean" },
    matrix: { type: "boolean" },
    model: { type: "string" },
    updates: { type: "string" },
    kills: { type: "string" },
  },
});
process.env.LOG_LEVEL ??= "silent"; // otherwise every deliberate failure is logged

if (asked.guards)
  process.exit(
    test(["tests/chaos/guards", "tests/chaos/interleavings", "app/payments/event-orders"], { INTERLEAVINGS: "all" }),
  );
if (asked.model !== undefined)
  process.exit(
    test(["tests/chaos/model"], {
      MODEL_RUNS: asked.model === true ? "10000" : `${asked.model}`,
      MODEL_SEED: process.env.MODEL_SEED ?? String(Math.floor(Math.random() * 2 ** 31)),
    }),
  );
if (asked.matrix) process.exit(test(["tests/chaos/matrix"], { MATRIX: "all" }));
if (!asked.machines) await import("../tests/chaos/main.ts");
else {
  const parts = {
    kills: () => run(process.execPath, ["tests/machines/main.ts", ...process.argv.slice(2)]),
    updates: () => test(["tests/machines/updates"], { UPDATES: String(asked.updates ?? 200) }),
    faults: () => test(["tests/machines/faults", "tests/machines/alarms"], { MACHINES: "1" }),
  };
  const named = Object.entries(parts).filter(([name]) => asked[name] !== undefined);
  const codes = (named.length > 0 ? named : Object.entries(parts)).map(([, play]) => play());
  process.exit(Math.max(...codes));
}

function test(names: string[], settings: Record<string, string>): number {
  const files = names.map((name) => `${name}.test.ts`);
  return run("vitest", ["run", ...files], settings);
}

function run(command: string, words: string[], settings: Record<string, string> = {}): number {
  return spawnSync(command, words, { stdio: "inherit", env: { ...process.env, ...settings } }).status ?? 1;
}
