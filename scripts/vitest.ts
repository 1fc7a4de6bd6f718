import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "./run.ts";
import { type RunResult, verdict } from "./second-look.ts";

/**
 * Runs Vitest with these arguments and environment variables. Whatever keeps it from telling its results is an error of
 * the result. `timeout` in ms.
 */
export async function runVitest(
  words: readonly string[],
  settings: Record<string, string>,
  timeout?: number,
): Promise<RunResult> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-results-"));
  const results = path.join(folder, "results.json");
  try {
    const ended = await run(
      "vitest",
      ["run", "--reporter=default", "--reporter=./scripts/results-reporter.ts", ...words],
      {
        timeout,
        settings: {
          DEMO_FOLDER: path.join(folder, "demo"), // the data after the first start of a demo, for all shops of this run
          TEST_RESULTS: results,
          ...settings,
        },
      },
    );
    const how = ended.isTimedOut
      ? `Vitest was not done after ${Math.round((timeout ?? 0) / 60_000)} minutes`
      : `Vitest ended with ${ended.signal ?? ended.code}`;
    if (!existsSync(results)) return { files: [], errors: [`${how}, without its results`] };
    const result = JSON.parse(readFileSync(results, "utf8")) as RunResult;
    if (ended.code !== 0 && verdict(result).failed === 0) result.errors.push(`${how}; the reason stands above`);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 }); // a shop that was cut off may still write there
  }
}
