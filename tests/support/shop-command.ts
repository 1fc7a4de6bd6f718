import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What one of the owner's commands ends with and prints, with the settings of a running shop. */
export async function shopCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env.PATH, ...settings };
  const running = promisify(execFile)(process.execPath, ["scripts/shop.ts", ...words], { env });
  const { code, stdout, stderr } = await running.then(
    (done) => ({ code: 0, ...done }),
    (ended: { code: number; stdout: string; stderr: string }) => ended,
  );
  return { code, said: (stdout + stderr).trim() };
}
