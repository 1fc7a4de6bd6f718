import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { CHROMIUM } from "#tests/support/browser.ts";

/** `programs`: files that the packages must bring; a star stands for one folder. */
type BrowserPackages = { name: string; packages: readonly string[]; programs: readonly string[] };

export const CHROMIUM_PACKAGES: BrowserPackages = {
  name: "Chromium",
  packages: ["chromium-headless-shell"],
  programs: [CHROMIUM ?? "/usr/bin/chromium-headless-shell"],
};
/** Debian's packages of each browser that the tests use, and the programs that they must bring. */
export const BROWSERS: readonly BrowserPackages[] = [
  { name: "Firefox", packages: ["firefox-esr"], programs: ["/usr/bin/firefox-esr"] },
  {
    name: "WebKit",
    packages: ["webkit2gtk-driver", "xvfb"],
    programs: ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb", "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"],
  },
  // `script`, which makes their terminal, comes with bsdutils.
  { name: "Lynx", packages: ["lynx", "bsdutils"], programs: ["/usr/bin/lynx", "/usr/bin/script"] },
  { name: "w3m", packages: ["w3m", "bsdutils"], programs: ["/usr/bin/w3m", "/usr/bin/script"] },
  CHROMIUM_PACKAGES,
];

const TRIES = 3;
const BETWEEN_TRIES = 10_000; // ms

/**
 * Installs those of these browsers that are missing, for which this user must be root. If one cannot be installed, the
 * process ends with 2: journeys that were not made have not passed.
 */
export async function ensureBrowsers(browsers: readonly BrowserPackages[]): Promise<void> {
  const problems: string[] = [];
  for (const browser of browsers) {
    if (isThere(browser)) continue;
    const problem = await install(browser);
    if (problem) problems.push(`${problem}: apt-get install ${browser.packages.join(" ")}\n`);
  }
  process.stderr.write(problems.join(""));
  if (problems.length > 0) process.exit(2);
}

/** Returns what went wrong, or undefined if the browser is installed. */
async function install(browser: BrowserPackages): Promise<string | undefined> {
  const { name, packages } = browser;
  const may = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!may) return `${name} is missing`;
  process.stderr.write(`Installing Debian's ${name} for the browser tests ...\n`);
  const words = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
  for (let tried = 0; tried < TRIES; tried++) {
    if (tried > 0) await pause(BETWEEN_TRIES); // a mirror may be away for a moment
    spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    const { status } = spawnSync("apt-get", words, { stdio: ["ignore", "inherit", "inherit"] });
    if (status === 0 && isThere(browser)) return;
  }
  return `${name} could not be installed; the reason stands above`;
}

function isThere({ programs }: BrowserPackages): boolean {
  return programs.every((program) => (program.includes("*") ? globSync(program).length > 0 : existsSync(program)));
}
