import { existsSync } from "node:fs";
import { buildIfChanged } from "./build.ts";
import { runTests } from "./vitest.ts";

// `npm run test:browsers`: a shopper's journeys in Debian's Firefox and WebKit, where these are installed. Words after `--` go to Vitest.

const BROWSERS = [
  {
    name: "Firefox",
    packages: "firefox-esr",
    programs: ["/usr/bin/firefox-esr"],
    tests: ["tests/e2e/purchase.test.ts", "tests/browsers/firefox.test.ts"],
  },
  {
    name: "WebKit",
    packages: "webkit2gtk-driver xvfb",
    programs: ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"],
    tests: ["tests/browsers/webkit.test.ts"],
  },
];

await buildIfChanged();
let passed = 0;
let failed = 0;
for (const { name, packages, programs, tests } of BROWSERS) {
  if (!programs.every((program) => existsSync(program))) {
    process.stdout.write(`${name} is not installed, its journeys are skipped: apt-get install ${packages}\n`);
    continue;
  }
  process.stdout.write(`${name}:\n`);
  const counted = runTests([...tests, ...process.argv.slice(2)], { BROWSER: name.toLowerCase() });
  passed += counted.passed;
  failed += counted.failed;
}
process.stdout.write(`Other browsers: ${passed} passed, ${failed} failed\n`);
process.exit(failed ? 1 : 0);
