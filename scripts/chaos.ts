import { spawnSync } from "node:child_process";

// `npm run chaos`: a flash sale while everything breaks (tests/chaos/main.ts). With --guards: every guard taken away, and every order of two actors.
// With --machines: several machines, of which the primary database's dies again and again (tests/machines/main.ts).

if (process.argv.includes("--guards")) {
  const files = ["tests/chaos/guards.test.ts", "tests/chaos/interleavings.test.ts"];
  const env = { ...process.env, INTERLEAVINGS: "all" };
  process.exit(spawnSync("vitest", ["run", ...files], { stdio: "inherit", env }).status ?? 1);
}
process.env.LOG_LEVEL ??= "silent"; // everything that is lost on purpose would be logged
if (process.argv.includes("--machines")) await import("../tests/machines/main.ts");
else await import("../tests/chaos/main.ts");
