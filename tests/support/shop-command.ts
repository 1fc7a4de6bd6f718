import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What one of the owner's commands prints, with the settings of a running shop; also where it ends with 1. */
export async function shopCommand(settings: Record<string, string>, ...words: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ...settings };
  const running = promisify(execFile)(process.execPath, ["scripts/shop.ts", ...words], { env });
  const { stdout, stderr } = await running.catch((ended: { stdout: string; stderr: string }) => ended);
  return (stdout + stderr).trim();
}
