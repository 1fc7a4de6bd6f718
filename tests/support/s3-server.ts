import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { env } from "#app/infra/env.server.ts";

/** `settings` are those of a shop with the bucket s3://pictures. */
export type S3Server = { port: number; settings: Record<string, string>; stop(): Promise<void> };

const KEY = "S3RVER";

/**
 * An S3 server in a process of its own. It knows one key, and accepts any signature, since it computes those of lists
 * differently from the AWS client.
 */
export async function startS3Server(bucket = "pictures"): Promise<S3Server> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-s3-"));
  const run = 'require("@20minutes/s3rver/lib/cli.js").parseAsync()';
  const options = [
    "--directory",
    folder,
    "--port",
    "0",
    "--silent",
    "--allow-mismatched-signatures",
    "--configure-bucket",
    bucket,
  ];
  const legacy = "--openssl-legacy-provider"; // the server's continuation tokens for lists use an old cipher
  const child = spawn(process.execPath, [legacy, "-e", run, "s3rver", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await listening(child);
  return {
    port,
    settings: s3Settings(port),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** The settings for the S3 server on this port of this machine. */
export function s3Settings(port: number): Record<string, string> {
  return { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY };
}

function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk;
      const [, port] = /listening on \S*:(\d+)/.exec(said) ?? [];
      if (port) resolve(Number(port));
    });
    child.once("exit", (code) => reject(new Error(`The S3 server ended with ${code}: ${said}`)));
  });
}

/** Makes this process's stores use the S3 server on that port. */
export function useS3(port: number): void {
  Object.assign(process.env, s3Settings(port));
  env.AWS_ENDPOINT_URL_S3 = process.env.AWS_ENDPOINT_URL_S3;
}
