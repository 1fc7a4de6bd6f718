import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { buildIfChanged } from "./build.ts";

// `npm run test:browsers`: a shopper's journeys in Debian's Firefox and WebKit, where these are installed. Words after `--` go to Vitest.

const BROWSERS = [
  {
    name: "Firefox",
    packages: "firefox-esr",
    programs: ["/usr/bin/firefox-esr"],
    tests: ["tests/e2e/purchase.test.ts", "-t", "with script switched off"],
  },
  {
    name: "WebKit",
    packages: "webkit2gtk-driver xvfb",
    programs: ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"],
    tests: ["tests/browsers/webkit.test.ts"],
  },
];

await buildIfChanged();
const codes = BROWSERS.map(({ name, packages, programs, tests }) => {
  if (!programs.every((program) => existsSync(program))) {
    process.stdout.write(`${name} is not installed, its journeys are skipped: apt-get install ${packages}\n`);
    return 0;
  }
  process.stdout.write(`${name}:\n`);
  const env = { ...process.env, BROWSER: name.toLowerCase() };
  return spawnSync("vitest", ["run", ...tests, ...process.argv.slice(2)], { stdio: "inherit", env }).status ?? 1;
});
process.exit(Math.max(...codes));
