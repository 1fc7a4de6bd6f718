import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import type { FileResult, RunResult } from "./second-look.ts";

/** Vitest's own shape of an error, as far as it is needed here. */
type TestError = { message?: string; stacks?: { file: string; line: number }[]; VITEST_TEST_PATH?: string };

/**
 * A Vitest reporter that writes a `RunResult` to the file named by TEST_RESULTS. Vitest's JSON report lacks errors
 * outside of tests, and counts tests after a failed `beforeAll` as merely skipped.
 */
export default class ResultsReporter implements Reporter {
  #root = process.cwd();
  /** When each file and each test that is running began. */
  readonly #files = new Map<TestModule, number>();
  readonly #tests = new Map<TestCase, number>();

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    setInterval(() => this.#say(), 60_000).unref();
  }

  onTestModuleStart(file: TestModule): void {
    this.#files.set(file, performance.now());
  }

  onTestModuleEnd(file: TestModule): void {
    this.#files.delete(file);
  }

  onTestCaseReady(test: TestCase): void {
    this.#tests.set(test, performance.now());
  }

  onTestCaseResult(test: TestCase): void {
    this.#tests.delete(test);
  }

  /** Each minute, what is running: where a run is cut off, its output names the test or file that held it up. */
  #say(): void {
    const since = (begun: number) => `${Math.round((performance.now() - begun) / 1000)} s`;
    const files = [...this.#files].map(([file, begun]) => {
      const tests = [...this.#tests].filter(([{ module }]) => module === file);
      const named = tests.map(([test, begun]) => ` > ${test.fullName} (${since(begun)})`);
      return `${this.#name(file.moduleId)} (${since(begun)})${named.join("")}`;
    });
    process.stdout.write(`${new Date().toISOString()} running: ${files.join(", ") || "no file"}\n`);
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>, reason: TestRunEndReason): void {
    const outside = unhandled as readonly TestError[];
    const files = modules.map((module): FileResult => {
      const suites = [module, ...module.children.allSuites()];
      const errors = [
        ...suites.flatMap((suite) => suite.errors()),
        ...outside.filter(({ VITEST_TEST_PATH: file }) => file === module.moduleId),
      ];
      return {
        file: this.#name(module.moduleId),
        tests: [...module.children.allTests()].map((test) => this.#result(test)),
        errors: [
          ...errors.map((error) => this.#said(error)),
          ...(isDone(module) ? [] : ["the file was not run to its end"]),
        ],
      };
    });
    const known = new Set(modules.map(({ moduleId }) => moduleId));
    const errors = outside.filter(({ VITEST_TEST_PATH: file }) => !file || !known.has(file));
    const cutOff = reason === "interrupted" ? ["the run was interrupted"] : [];
    const result: RunResult = { files, errors: [...errors.map((error) => this.#said(error)), ...cutOff] };
    writeFileSync(process.env.TEST_RESULTS as string, JSON.stringify(result));
  }

  #result(test: TestCase): FileResult["tests"][number] {
    const { state, errors = [] } = test.result();
    const name = test.fullName;
    if (state === "pending") return { name, state: "failed", message: "its worker ended while it ran" };
    if (!errors[0]) return { name, state };
    return { name, state, message: this.#said(errors[0]), evidence: test.meta().evidence };
  }

  /** The message of an error on one line, with the file and line where it was thrown. */
  #said({ message = "an error without a message", stacks = [] }: TestError): string {
    const [at] = stacks;
    const line = message.replaceAll(/\s+/g, " ").slice(0, 300);
    return at ? `${line} (${this.#name(at.file)}:${at.line})` : line;
  }

  #name(file: string): string {
    return path.relative(this.#root, file);
  }
}

const isDone = (module: TestModule) => !["queued", "pending"].includes(module.state());
