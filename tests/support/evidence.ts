declare module "vitest" {
  interface TaskMeta {
    /** What the test's pages showed and its shops said when it failed. */
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

/** Lets a red test be told with what `look` returns: the test that runs now, or else each test of the file. */
export function tellIfRed(of: object, name: string, look: Source["look"]): void {
  sources.set(of, { name, look, test: running });
}

export function forget(of: object): void {
  sources.delete(of);
}

/** What all sources of this test say. */
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
