import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { filesForASecondLook, inWords, type RunResult, type Verdict, verdict } from "./second-look.ts";
import { runVitest } from "./vitest.ts";

/** A step either checks something, or runs tests: `files`, or those that `settings` choose, with Vitest's `options`. */
export type Step = {
  name: string;
  /** Whether the steps after a red one are not begun. */
  isQuick?: boolean;
} & ({ check: () => Promise<boolean> } | Tests);

type Tests = { files?: readonly string[]; options?: readonly string[]; settings: Record<string, string> };

type TestRun = { options: readonly string[]; settings: Record<string, string>; result: RunResult };

/** For all files of a second look together. */
const SECOND_LOOK_WITHIN = 15 * 60_000; // ms

/**
 * Runs the steps, then the files with a red test once more, one at a time (docs/decisions/059-a-second-look.md). Prints
 * each red or unstable test, what each step took, and at the end `N passed, N failed`. Returns the exit code.
 */
export async function play(steps: readonly Step[]): Promise<number> {
  const runs: TestRun[] = [];
  const told: string[] = [];
  const checks = { passed: 0, failed: 0 };
  for (const [at, step] of steps.entries()) {
    const end = begin(step.name);
    let red: boolean;
    if ("check" in step) {
      red = !(await step.check());
      checks[red ? "failed" : "passed"]++;
      told.push(end(red ? "FAILED" : "passed"));
    } else {
      const { files = [], options = [], settings } = step;
      const result = await runVitest([...files, ...options], settings);
      runs.push({ options, settings, result });
      const { passed, failed } = verdict(result);
      red = failed > 0;
      told.push(end(`${passed} passed, ${failed} failed`));
    }
    const left = steps.slice(at + 1).map(({ name }) => name);
    if (step.isQuick && red && left.length > 0) {
      told.push(`== not begun: ${left.join(", ")}`);
      break;
    }
  }
  const tests = await withSecondLook(runs);
  const named = tell(tests);
  const failed = checks.failed + tests.failed;
  // Again without their evidence: of a long output often only the end is kept.
  const end = [...told, ...named, `${checks.passed + tests.passed} passed, ${failed} failed`];
  process.stdout.write(`\n${end.join("\n")}\n`);
  return failed > 0 ? 1 : 0;
}

/** Prints each finding with its evidence. Returns their lines. */
function tell({ red, atFirst, unstable }: Verdict): string[] {
  const all = { FAILED: red, "failed at first": atFirst, unstable };
  return Object.entries(all).flatMap(([how, findings]) =>
    findings.map((one) => {
      const line = `${how}: ${inWords(one)}`;
      process.stdout.write(`${[line, one.evidence].filter(Boolean).join("\n")}\n`);
      return line;
    }),
  );
}

async function withSecondLook(runs: readonly TestRun[]): Promise<Verdict> {
  const again = filesForASecondLook(runs.map(({ result }) => result));
  const end = again.flat().length > 0 ? begin("second look") : undefined;
  const folder = end ? mkdtempSync(path.join(os.tmpdir(), "irepo-red-")) : "";
  const deadline = performance.now() + SECOND_LOOK_WITHIN;
  const whole: Verdict = { passed: 0, failed: 0, red: [], atFirst: [], unstable: [] };
  for (const [at, { options, settings, result }] of runs.entries()) {
    const files = again[at] ?? [];
    const left = Math.max(deadline - performance.now(), 1);
    const words = [...files, "--no-file-parallelism", ...options];
    const second = files.length > 0 ? await runVitest(words, { ...settings, TEST_EVIDENCE: folder }, left) : undefined;
    const { passed, failed, ...found } = verdict(result, second);
    whole.passed += passed;
    whole.failed += failed;
    for (const how of ["red", "atFirst", "unstable"] as const) whole[how].push(...found[how]);
  }
  end?.(`${whole.unstable.length} unstable, ${whole.failed} failed`);
  return whole;
}

/** Says that a step begins. Returns the function that says how it ended, and returns the line. */
function begin(name: string): (outcome: string) => string {
  process.stdout.write(`== ${name}: begins ${new Date().toISOString()}\n`);
  const begun = { wall: performance.now(), processor: processorSeconds() };
  return (outcome) => {
    const wall = Math.round((performance.now() - begun.wall) / 1000);
    const processor = Math.round(processorSeconds() - begun.processor);
    const line = `== ${name}: ${outcome}, ${wall} s, ${processor} s of processor`;
    process.stdout.write(`${line}\n`);
    return line;
  };
}

/** Processor seconds of the whole machine, since databases and browsers are not child processes. */
function processorSeconds(): number {
  return os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0) / 1000;
}
