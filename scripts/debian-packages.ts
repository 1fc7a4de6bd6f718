import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { CHROMIUM } from "#tests/support/browser.ts";

/** `files`: what the packages must bring; a star stands for one folder. */
type Program = { name: string; packages: readonly string[]; files: readonly string[] };

export const CHROMIUM_PROGRAM: Program = {
  name: "Chromium",
  packages: ["chromium-headless-shell"],
  files: [CHROMIUM ?? "/usr/bin/chromium-headless-shell"],
};
/** Runs the journeys for a quarter less processor time than the whole of Chromium. */
const HEADLESS_SHELL: Program = { ...CHROMIUM_PROGRAM, files: ["/usr/bin/chromium-headless-shell"] };
/** The browsers that the tests use. */
export const BROWSERS: readonly Program[] = [
  { name: "Firefox", packages: ["firefox-esr"], files: ["/usr/bin/firefox-esr"] },
  {
    name: "WebKit",
    packages: ["webkit2gtk-driver", "xvfb"],
    files: ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb", "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"],
  },
  // `script`, which makes their terminal, comes with bsdutils.
  { name: "Lynx", packages: ["lynx", "bsdutils"], files: ["/usr/bin/lynx", "/usr/bin/script"] },
  { name: "w3m", packages: ["w3m", "bsdutils"], files: ["/usr/bin/w3m", "/usr/bin/script"] },
  CHROMIUM_PROGRAM,
];
/** What a test skips itself without: `npm test` does so, `npm run test:all` installs it. */
export const OTHER_PROGRAMS: readonly Program[] = [
  { name: "pgbouncer", packages: ["pgbouncer"], files: ["/usr/sbin/pgbouncer"] },
  { name: "HAProxy", packages: ["haproxy"], files: ["/usr/sbin/haproxy"] },
  { name: "promtool", packages: ["prometheus"], files: ["/usr/bin/promtool"] },
  { name: "Java", packages: ["default-jre-headless"], files: ["/usr/bin/java"] },
  { name: "systemd-analyze", packages: ["systemd"], files: ["/usr/bin/systemd-analyze"] },
];

const TRIES = 3;
const BETWEEN_TRIES = 10_000; // ms

/**
 * Installs those of these programs that are missing, for which this user must be root. If one cannot be installed, the
 * process ends with 2: tests that were not run have not passed.
 */
export async function ensurePrograms(programs: readonly Program[]): Promise<void> {
  const problems: string[] = [];
  for (const program of programs) {
    if (isThere(program)) continue;
    const problem = await install(program);
    if (problem) problems.push(`${problem}: apt-get install ${program.packages.join(" ")}\n`);
  }
  process.stderr.write(problems.join(""));
  if (problems.length > 0) process.exit(2);
}

/** Installs Chromium's headless shell beside the whole of Chromium, which is used where that cannot be done. */
export async function preferHeadlessShell(): Promise<void> {
  if (mayInstall() && !isThere(HEADLESS_SHELL)) await install(HEADLESS_SHELL, 1);
}

const mayInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Returns what went wrong, or undefined if the program is installed. */
async function install(program: Program, tries = TRIES): Promise<string | undefined> {
  const { name, packages } = program;
  if (!mayInstall()) return `${name} is missing`;
  process.stderr.write(`Installing Debian's ${name} for the tests ...\n`);
  const words = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
  const env = { ...process.env, RUNLEVEL: "1" }; // packages of a server start it, unless the machine is in runlevel 1
  for (let tried = 0; tried < tries; tried++) {
    if (tried > 0) await pause(BETWEEN_TRIES); // a mirror may be away for a moment
    spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    const { status } = spawnSync("apt-get", words, { stdio: ["ignore", "inherit", "inherit"], env });
    if (status === 0 && isThere(program)) return;
  }
  return `${name} could not be installed; the reason stands above`;
}

function isThere({ files }: Program): boolean {
  return files.every((file) => (file.includes("*") ? globSync(file).length > 0 : existsSync(file)));
}
