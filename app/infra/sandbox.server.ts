import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { Problem } from "./problem.server.ts";

/** The file in the shop's folder with the sandbox's books. */
export const BOOKS_FILE = "sandbox.jsonl";

/**
 * Starts the payment sandbox (and the demo's OpenID provider) as a program of its own. Resolves when it listens, with a
 * function that ends it. `settings` take precedence over the values from the shop's settings.
 */
export async function startSandbox(settings: NodeJS.ProcessEnv = {}): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [path.resolve("sandbox/main.ts")], {
    stdio: ["pipe", "pipe", "inherit"], // it ends when its standard input does, so it never outlives the shop
    env: {
      SANDBOX_PORT: String(env.sandboxPort),
      PAYSTACK_SECRET_KEY: env.paystack.secretKey,
      PAYSTACK_PUBLIC_KEY: env.paystack.publicKey,
      WEBHOOK_URL: `http://127.0.0.1:${env.PORT}/webhooks/paystack`,
      SANDBOX_STATE_FILE: path.join(env.dataDir, BOOKS_FILE),
      GOOGLE_CLIENT_ID: env.google?.clientId,
      GOOGLE_CLIENT_SECRET: env.google?.clientSecret,
      GOOGLE_REDIRECT_URIS: new URL("/auth/google/callback", env.publicUrl).href,
      ...settings,
    },
  });
  await listening(child);
  child.on("exit", (code) => log.warn({ code }, "the payment sandbox ended"));
  return () => ended(child);
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      reject(new Problem(`The payment sandbox at SANDBOX_PORT=${env.sandboxPort} did not open (exit ${code})`)),
    );
    child.stdout?.once("data", () => {
      child.removeAllListeners("exit");
      child.stdout?.resume();
      resolve();
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.stdin?.end();
  });
}
