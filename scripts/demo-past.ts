import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runnerImport } from "vite";
import { readArguments } from "./usage.ts";

// `npm run demo-past`: plays three months of a demo shop and records them in db/demo (tests/demo-past/main.ts). Its
// database is thrown away afterwards.

readArguments("demo-past", { options: {} });
const folder = mkdtempSync(path.join(tmpdir(), "irepo-demo-past-"));
Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: "silent", DEMO_PAST: "off" });
try {
  // Through Vite, since the shop's migrations and mails are part of its build.
  const { module } = await runnerImport<typeof import("../tests/demo-past/main.ts")>("./tests/demo-past/main.ts", {
    configFile: false,
  });
  await module.record();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
