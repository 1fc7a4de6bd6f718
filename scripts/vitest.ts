import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { filesForASecondLook, inWords, type RunResult, type Verdict, verdict } from "./second-look.ts";

const SECOND_LOOK_WITHIN = 15 * 60_000;

/**
 * Runs Vitest with these arguments and environment variables, then the files with a red test once more, one at a time
 * (docs/decisions/059-a-second-look.md). Prints each test that is red or unstable.
 */
export function runTests(words: string[] = [], settings: Record<string, string> = {}): Verdict {
  const first = vitest(words, settings);
  const again = filesForASecondLook(first);
  if (again.length === 0) return told(verdict(first));
  process.stdout.write(`Once more, one at a time: ${again.join(", ")}\n`);
  const second = vitest([...again, "--maxWorkers=1", "--no-file-parallelism"], settings, SECOND_LOOK_WITHIN);
  return told(verdict(first, second));
}

function vitest(words: string[], settings: Record<string, string>, timeout?: number): RunResult {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-results-"));
  const results = path.join(folder, "results.json");
  try {
    const { status, signal } = spawnSync(
      "vitest",
      ["run", "--reporter=default", "--reporter=./scripts/results-reporter.ts", ...words],
      {
        stdio: ["ignore", "inherit", "inherit"],
        timeout,
        env: {
          ...process.env,
          DEMO_FOLDER: path.join(folder, "demo"), // the data after the first start of a demo: all shops of a run begin there
          TEST_RESULTS: results,
          ...settings,
        },
      },
    );
    if (!existsSync(results))
      return { files: [], errors: [`Vitest ended with ${signal ?? status}, and without its results`] };
    const result = JSON.parse(readFileSync(results, "utf8")) as RunResult;
    const isRed = verdict(result).failed > 0;
    if (status !== 0 && !isRed) result.errors.push(`Vitest ended with ${signal ?? status}; the reason stands above`);
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function told(outcome: Verdict): Verdict {
  for (const one of outcome.red) process.stdout.write(`FAILED: ${inWords(one)}\n`);
  for (const one of outcome.unstable) process.stdout.write(`unstable: ${inWords(one)}\n`);
  return outcome;
}
