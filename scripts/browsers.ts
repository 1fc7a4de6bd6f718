import { BROWSERS, ensureBrowsers } from "./browser-packages.ts";
import { buildIfChanged } from "./build.ts";
import { runTests } from "./vitest.ts";

// `npm run test:browsers`: a shopper's journeys in Debian's Firefox, WebKit, Lynx and w3m, which are installed where
// they are missing and this user may. Words after `--` go to Vitest. A second accessibility engine looks at the pages in
// Chromium.

/** What runs in each browser: the value of BROWSER and the test files. */
const RUNS = {
  firefox: ["tests/e2e/purchase.test.ts", "tests/browsers/firefox.test.ts"],
  webkit: ["tests/browsers/webkit.test.ts"],
  lynx: ["tests/browsers/lynx.test.ts"],
  w3m: ["tests/browsers/w3m.test.ts"],
  "second-engine": ["tests/browsers/second-engine.test.ts"], // minutes long: `npm test` goes without it
};

await ensureBrowsers(BROWSERS);
await buildIfChanged();
let passed = 0;
let failed = 0;
for (const [name, tests] of Object.entries(RUNS)) {
  process.stdout.write(`${name}:\n`);
  const counted = runTests([...tests, ...process.argv.slice(2)], { BROWSER: name });
  passed += counted.passed;
  failed += counted.failed;
}
process.stdout.write(`Other browsers: ${passed} passed, ${failed} failed\n`);
process.exit(failed ? 1 : 0);
