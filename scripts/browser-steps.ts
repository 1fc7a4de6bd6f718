import type { Step } from "./steps.ts";

/** What runs in each browser. Chromium's step asks a second accessibility engine about all pages, which takes minutes. */
const TESTS = {
  firefox: ["tests/e2e/purchase.test.ts", "tests/browsers/firefox.test.ts"],
  webkit: ["tests/browsers/webkit.test.ts"],
  lynx: ["tests/browsers/lynx.test.ts"],
  w3m: ["tests/browsers/w3m.test.ts"],
  "second-engine": ["tests/browsers/second-engine.test.ts"],
};

export const browserSteps = (options: readonly string[] = []): Step[] =>
  Object.entries(TESTS).map(([name, files]) => ({ name, files, options, settings: { BROWSER: name } }));
