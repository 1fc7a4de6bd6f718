import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export type BrowserPackages = { name: string; packages: readonly string[]; programs: readonly string[] };

/** The programs of a browser that are not installed. */
export function missingOf({ programs }: BrowserPackages): string[] {
  return programs.filter((program) => !existsSync(program));
}

/**
 * Installs a browser from Debian's packages, for which this user must be root. Returns a sentence about what went
 * wrong, or undefined if the browser is installed.
 */
export function installBrowser({ name, packages }: BrowserPackages): string | undefined {
  const byHand = `apt-get install ${packages.join(" ")}`;
  const may = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!may) return `${name} is missing: ${byHand}`;
  process.stderr.write(`Installing Debian's ${name} for the browser tests ...\n`);
  spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
  const install = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
  const { status } = spawnSync("apt-get", install, { stdio: ["ignore", "inherit", "inherit"] });
  return status === 0 ? undefined : `${name} could not be installed; the reason stands above: ${byHand}`;
}
