import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Runs Vitest with these words and settings; how many tests passed and failed. A file that could not be loaded, or a run that ended early, is one that failed. */
export function countTests(
  words: string[] = [],
  settings: Record<string, string> = {},
): { passed: number; failed: number } {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-report-"));
  const report = path.join(folder, "report.json");
  const { status } = spawnSync(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...words],
    {
      stdio: ["ignore", "inherit", "inherit"],
      // What the first start of a demo leaves: all of them begin there.
      env: { ...process.env, DEMO_FOLDER: path.join(folder, "demo"), ...settings },
    },
  );
  const { numPassedTests: passed, numFailedTests: failed } = existsSync(report)
    ? (JSON.parse(readFileSync(report, "utf8")) as { numPassedTests: number; numFailedTests: number })
    : { numPassedTests: 0, numFailedTests: 0 };
  rmSync(folder, { recursive: true });
  return { passed, failed: status === 0 ? failed : Math.max(failed, 1) };
}
