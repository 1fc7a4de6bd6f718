import { spawnSync } from "node:child_process";

// `npm run chaos`: a flash sale while everything breaks (tests/chaos/main.ts). With --guards: every guard taken away, and every order of two actors.
// With --machines: several machines, of which the primary database's dies again and again (tests/machines/main.ts); with --machines --updates N: so
// many rolling updates under load; with --machines --faults: what still works, and which alarms fire.

const updates = process.argv.indexOf("--updates");
if (process.argv.includes("--guards")) test(["chaos/guards", "chaos/interleavings"], { INTERLEAVINGS: "all" });
if (updates > 0) test(["machines/updates"], { UPDATES: process.argv[updates + 1] ?? "200" });
if (process.argv.includes("--faults")) test(["machines/faults", "machines/alarms"], { MACHINES: "1" });
process.env.LOG_LEVEL ??= "silent"; // everything that is lost on purpose would be logged
if (process.argv.includes("--machines")) await import("../tests/machines/main.ts");
else await import("../tests/chaos/main.ts");

function test(names: string[], settings: Record<string, string>): never {
  const files = names.map((name) => `tests/${name}.test.ts`);
  const env = { ...process.env, ...settings };
  process.exit(spawnSync("vitest", ["run", ...files], { stdio: "inherit", env }).status ?? 1);
}
