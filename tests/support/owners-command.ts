import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile); // whoever stands between goes on meanwhile

/** One of the owner's commands, as a program of its own: its code, and what it says. */
export async function ownersCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env.PATH, ...settings };
  const ended = await run(process.execPath, ["scripts/shop.ts", ...words], { env }).then(
    (done) => ({ code: 0, ...done }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  );
  return { code: ended.code, said: `${ended.stdout}${ended.stderr}`.trim() };
}
