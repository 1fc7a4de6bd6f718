import { mkdirSync } from "node:fs";
import { env } from "../app/infra/env.server.ts";
import { startSandbox } from "../app/infra/sandbox.server.ts";

// The sandbox alone, as the shop starts it, until it is stopped.
const given = ["WEBHOOK_URL", "WEBHOOK_DELAY_MS", "SANDBOX_STATE_FILE"].filter((name) => process.env[name]);
mkdirSync(env.dataDir, { recursive: true });
const stop = await startSandbox(Object.fromEntries(given.map((name) => [name, process.env[name]]))).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
process.stdout.write(`The payment sandbox is open: http://127.0.0.1:${env.sandboxPort}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop().then(() => process.exit(0)));
