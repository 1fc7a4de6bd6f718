import { spawn } from "node:child_process";

// The sandbox alone, on SANDBOX_PORT (3001), until it is stopped.
const sandbox = spawn(process.execPath, ["sandbox/main.ts"], { stdio: ["pipe", "inherit", "inherit"] });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => sandbox.kill(signal));
sandbox.on("exit", (code) => process.exit(code ?? 0));
