/** What a run of Vitest has come to. Files are named relative to the repository. */
export type RunResult = {
  files: FileResult[];
  /** Errors that belong to no file. */
  errors: string[];
};

/** `errors`: those outside of its tests, such as a failed import or hook. */
export type FileResult = { file: string; tests: TestResult[]; errors: string[] };
export type TestResult = {
  name: string;
  state: "passed" | "failed" | "skipped";
  message?: string;
  /** What pages showed and shops said then. */
  evidence?: string;
};

/** A test or file that is not green, and why. */
export type Finding = { file: string; name?: string; message: string; evidence?: string };

/** `atFirst`: what the first run found in files that the second one found red. It is told, and not counted. */
export type Verdict = { passed: number; failed: number; red: Finding[]; atFirst: Finding[]; unstable: Finding[] };

const NOTHING: Pick<Verdict, "red" | "atFirst" | "unstable"> = { red: [], atFirst: [], unstable: [] };

/** More red files than these are no accident of a busy machine. */
const MOST_FILES = 5;

/** Money and stock, where a test that fails now and then has found something; and rules, which only read the sources. */
const NO_SECOND_LOOK = /^(app\/(payments|orders|cart|offers)|tests\/(chaos|house))\//;
/** These measure how long something takes, so they may fail on a busy machine. */
const MEASURE_TIME = ["tests/chaos/fault-proxy.test.ts", "tests/chaos/matrix.test.ts"];

/** Of each of these runs the files to run once more, alone: a test failed there, maybe because of the machine's load. */
export function filesForASecondLook(runs: readonly RunResult[]): string[][] {
  const red = runs.map(({ files }) => files.filter((one) => findings(one).length > 0).map(({ file }) => file));
  const isCertain = red.flat().length > MOST_FILES || runs.some(({ errors }) => errors.length > 0);
  const isLookedAt = (file: string) => MEASURE_TIME.includes(file) || !NO_SECOND_LOOK.test(file);
  return red.map((files) => (isCertain ? [] : files.filter(isLookedAt)));
}

/**
 * What both runs say together. A file counts as unstable, and its tests as passed, if its second run was green and ran
 * at least as many tests as the first one has.
 */
export function verdict(first: RunResult, second: RunResult = { files: [], errors: [] }): Verdict {
  const files = first.files.map((before) => {
    const found = findings(before);
    if (found.length === 0) return { ...NOTHING, counted: before };
    const after = second.files.find(({ file }) => file === before.file);
    if (!after) return { ...NOTHING, counted: before, red: found };
    const still = [...findings(after), ...missing(before, after)];
    if (still.length > 0) return { ...NOTHING, counted: after, red: still, atFirst: found };
    return { ...NOTHING, counted: after, unstable: found };
  });
  const outside = [...first.errors, ...second.errors].map((message) => ({ file: "outside of any file", message }));
  const red = [...files.flatMap((one) => one.red), ...outside];
  const tests = files.flatMap(({ counted }) => counted.tests);
  return {
    passed: tests.filter(({ state }) => state === "passed").length,
    failed: red.length,
    red,
    atFirst: files.flatMap((one) => one.atFirst),
    unstable: files.flatMap((one) => one.unstable),
  };
}

function findings({ file, tests, errors }: FileResult): Finding[] {
  const failed = tests.filter(({ state }) => state === "failed");
  return [
    ...failed.map(({ name, message = "failed", evidence }) => ({ file, name, message, evidence })),
    ...errors.map((message) => ({ file, message })),
  ];
}

/** A second run with fewer tests has not looked again. Tests that the first run skipped on purpose need not run. */
function missing({ file, tests: before }: FileResult, { tests: after }: FileResult): Finding[] {
  const ran = (tests: TestResult[]) => tests.filter(({ state }) => state !== "skipped").length;
  if (after.length >= before.length && ran(after) >= Math.max(ran(before), 1)) return [];
  return [{ file, message: `the second look ran ${ran(after)} tests, the first one ${ran(before)}` }];
}

export const inWords = ({ file, name, message }: Finding): string =>
  `${[file, name].filter(Boolean).join(" > ")}: ${message}`;
