declare module "vitest" {
  interface TaskMeta {
    /** The contents of the test's pages and the output of its shops when it failed. */
    evidence?: string;
  }
}

type Source = { name: string; test?: string; look(): string | Promise<string> };

const sources = new Map<object, Source>();
const MOST_LINES = 80;
/** The id of the test that runs, if one does. Set by setup.ts: benchmarks, too, open shops and browsers. */
let running: string | undefined;

export function runs(test: string | undefined): void {
  running = test;
}

/** Adds what `look` returns to the report of a failed test: of the running test, or else of each test of the file. */
export function tellIfRed(of: object, name: string, look: Source["look"]): void {
  sources.set(of, { name, look, test: running });
}

export function forget(of: object): void {
  sources.delete(of);
}

/** The texts of all sources of this test. */
export async function evidence(of: string): Promise<string> {
  const asked = [...sources.values()].filter(({ test }) => test === undefined || test === of);
  const told = asked.map(async ({ name, look }) => {
    const text = await Promise.resolve()
      .then(look)
      .catch((error: Error) => `cannot be told: ${error.message}`);
    return [`--- ${name}`, ...text.trim().split("\n").slice(-MOST_LINES)].join("\n");
  });
  return (await Promise.all(told)).join("\n");
}
