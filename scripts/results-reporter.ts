import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import type { FileResult, RunResult } from "./second-look.ts";

/** Vitest's own shape of an error, as far as it is needed here. */
type TestError = { message?: string; stacks?: { file: string; line: number }[]; VITEST_TEST_PATH?: string };

/**
 * A Vitest reporter that writes a `RunResult` to the file named by TEST_RESULTS. Vitest's JSON report lacks errors
 * outside of tests, and counts tests after a failed `beforeAll` as merely skipped.
 */
export default class ResultsReporter implements Reporter {
  #root = process.cwd();
  readonly #underWay = new Map<string, { test: TestCase; begun: number }>();

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    setInterval(() => this.#say(), 60_000).unref();
  }

  onTestCaseReady(test: TestCase): void {
    this.#underWay.set(test.id, { test, begun: performance.now() });
  }

  onTestCaseResult({ id }: TestCase): void {
    this.#underWay.delete(id);
  }

  /** Each minute, the tests that are running: where a run is cut off, its output names the test that held it up. */
  #say(): void {
    const tests = [...this.#underWay.values()].map(({ test, begun }) => {
      const seconds = Math.round((performance.now() - begun) / 1000);
      return `${this.#name(test.module.moduleId)} > ${test.fullName} (${seconds} s)`;
    });
    process.stdout.write(`${new Date().toISOString()} running: ${tests.join(", ") || "no test"}\n`);
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
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
        errors: errors.map((error) => this.#said(error)),
      };
    });
    const known = new Set(modules.map(({ moduleId }) => moduleId));
    const errors = outside.filter(({ VITEST_TEST_PATH: file }) => !file || !known.has(file));
    const result: RunResult = { files, errors: errors.map((error) => this.#said(error)) };
    writeFileSync(process.env.TEST_RESULTS ?? "test-results.json", JSON.stringify(result));
  }

  #result(test: TestCase): FileResult["tests"][number] {
    const { state, errors = [] } = test.result();
    return {
      name: test.fullName,
      state: state === "pending" ? "failed" : state, // pending: the run ended while the test was under way
      ...(state !== "passed" && errors.length > 0 && { message: this.#said(errors[0] as TestError) }),
    };
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
