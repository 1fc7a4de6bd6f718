import { CHROMIUM } from "#tests/support/browser.ts";
import { type BrowserPackages, installBrowser, missingOf } from "./browser-packages.ts";
import { buildIfChanged } from "./build.ts";
import { runTests } from "./vitest.ts";

// `npm run test:browsers`: a shopper's journeys in Debian's Firefox, WebKit, Lynx and w3m, which are installed where
// they are missing and this user may: else it ends with 2, since journeys that were not made have not passed. Words
// after `--` go to Vitest. A second accessibility engine looks at the pages in Chromium.

/** `engine`: what is asked there, in the place of a journey. */
const BROWSERS: (BrowserPackages & { tests: string[]; engine?: string })[] = [
  {
    name: "Firefox",
    packages: ["firefox-esr"],
    programs: ["/usr/bin/firefox-esr"],
    tests: ["tests/e2e/purchase.test.ts", "tests/browsers/firefox.test.ts"],
  },
  {
    name: "WebKit",
    packages: ["webkit2gtk-driver", "xvfb"],
    programs: ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"],
    tests: ["tests/browsers/webkit.test.ts"],
  },
  ...["Lynx", "w3m"].map((name) => ({
    name,
    packages: [name.toLowerCase(), "bsdutils"],
    programs: [`/usr/bin/${name.toLowerCase()}`, "/usr/bin/script"], // which makes their terminal
    tests: [`tests/browsers/${name.toLowerCase()}.test.ts`],
  })),
  {
    name: "Chromium",
    engine: "second-engine", // minutes long: `npm test` goes without it
    packages: ["chromium-headless-shell"],
    programs: [CHROMIUM ?? "/usr/bin/chromium-headless-shell"],
    tests: ["tests/browsers/second-engine.test.ts"],
  },
];

const problems = BROWSERS.filter((browser) => missingOf(browser).length > 0).flatMap(
  (one) => installBrowser(one) ?? [],
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(2);

await buildIfChanged();
let passed = 0;
let failed = 0;
for (const { name, tests, engine } of BROWSERS) {
  process.stdout.write(`${engine ?? name}:\n`);
  const counted = runTests([...tests, ...process.argv.slice(2)], { BROWSER: engine ?? name.toLowerCase() });
  passed += counted.passed;
  failed += counted.failed;
}
process.stdout.write(`Other browsers: ${passed} passed, ${failed} failed\n`);
process.exit(failed ? 1 : 0);
