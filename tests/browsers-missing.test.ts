import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** A module that makes the machine one without these programs, and its user one who may not install packages. */
const BARE = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { existsSync } = fs;
  fs.existsSync = (path) => !/firefox|WebKit|Xvfb|lynx|w3m|chromium|pgbouncer|haproxy|promtool|java|systemd/.test(path) && existsSync(path);
  process.getuid = () => 1000;
  syncBuiltinESMExports();
`;

const BROWSERS = {
  Firefox: "firefox-esr",
  WebKit: "webkit2gtk-driver xvfb",
  Lynx: "lynx bsdutils",
  w3m: "w3m bsdutils",
  Chromium: "chromium-headless-shell",
};
const OTHERS = {
  pgbouncer: "pgbouncer",
  HAProxy: "haproxy",
  promtool: "prometheus",
  Java: "default-jre-headless",
  "systemd-analyze": "systemd",
};

test.each([
  ["browsers", BROWSERS],
  ["test-all", { ...BROWSERS, ...OTHERS }],
])("50 programs that are missing and cannot be installed end %s with 2, and name their packages", (script, missing) => {
  const bare = `data:text/javascript,${encodeURIComponent(BARE)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", bare, `scripts/${script}.ts`], {
    encoding: "utf8",
    env: { ...process.env, PATH: "" }, // should a command not end, it finds nothing to run
    timeout: 60_000,
  });
  const said = Object.entries(missing).map(([name, packages]) => `${name} is missing: apt-get install ${packages}\n`);
  expect([status, stdout, stderr]).toEqual([2, "", said.join("")]);
});

/** A module that makes the machine one with all programs but the headless shell, and its user root. */
const WITHOUT_SHELL = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  fs.existsSync = (path) => !path.includes("headless-shell");
  fs.globSync = (pattern) => [pattern];
  process.getuid = () => 0;
  syncBuiltinESMExports();
`;

test("a headless shell that cannot be installed beside Chromium holds up no test", () => {
  const without = `data:text/javascript,${encodeURIComponent(WITHOUT_SHELL)}`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", without, "scripts/test.ts", "--all"], {
    encoding: "utf8",
    env: { ...process.env, PATH: "", IREPO_BUILD: "none" }, // apt-get and every command of the steps are missing
    timeout: 60_000,
  });
  expect(stderr).toContain("Installing Debian's Chromium");
  expect(stdout).toContain("== types: begins");
});

test("50 what is run for each change is every test, the journeys in all browsers among them", () => {
  const run = readFileSync(".ci/run", "utf8");
  expect([/^set -euo pipefail$/m.test(run), /^npm run test:all$/m.test(run)]).toEqual([true, true]);
});
