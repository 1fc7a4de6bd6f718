import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/**
 * A program that begins a run as Vitest does and, after `meanwhile`, breaks it off as Ctrl-C does. It prints which
 * server was started, and in which folder.
 */
const brokenOff = (meanwhile: string) => `
  import { isAlive, postmaster } from "#app/infra/database/embedded/process.server.ts";
  import setup from "#tests/support/global-setup.ts";
  await setup({ provide() {} });
  const folder = process.env.TMPDIR;
  const { pid } = postmaster(folder + "/postgres");
  console.log(JSON.stringify({ folder, pid }));
  ${meanwhile}
  process.exit(130);`;

const DIES = `
  process.kill(pid, "SIGKILL");
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));`;

test.each([
  ["", ""],
  [", also when its database has died before", DIES],
])("a run that is broken off leaves no database and no folder%s", async (_, meanwhile) => {
  const { TEST_POSTGRES: _given, ...env } = process.env;
  const words = ["--input-type=module-typescript", "--eval", brokenOff(meanwhile)];
  const ended = promisify(execFile)(process.execPath, words, { env }).catch((error) => error);
  const { folder, pid } = JSON.parse((await ended).stdout) as { folder: string; pid: number };
  expect(existsSync(folder)).toBe(false);
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});
