import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Runs one of the owner's commands of this checkout, with the settings of a running shop. Returns its exit code and
 * output.
 */
export async function shopCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<{ code: number; said: string }> {
  return commandIn(process.cwd(), settings, words);
}

/** Runs one of the owner's commands of another checkout. */
export async function commandIn(
  checkout: string,
  settings: Record<string, string>,
  words: string[],
): Promise<{ code: number; said: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...settings };
  const running = promisify(execFile)(process.execPath, ["scripts/shop.ts", ...words], { cwd: checkout, env });
  const { code, stdout, stderr } = await running.then(
    (done) => ({ code: 0, ...done }),
    (ended: { code: number; stdout: string; stderr: string }) => ended,
  );
  return { code, said: (stdout + stderr).trimEnd() };
}

/**
 * Runs one of the owner's commands at a shop with its own database. Returns the output; throws if the command fails.
 */
export async function ownerSays({ dataDir }: { dataDir: string }, ...words: string[]): Promise<string> {
  const { code, said } = await shopCommand({ DATA_DIR: dataDir, LOG_LEVEL: "silent" }, ...words);
  if (code !== 0) throw new Error(`shop ${words.join(" ")} ended with ${code}: ${said}`);
  return said;
}
