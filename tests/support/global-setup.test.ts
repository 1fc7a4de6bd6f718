import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Begins a run as Vitest does, and breaks it off as Ctrl-C does. Says which server was started, and in which folder. */
const BROKEN_OFF = `
  import { postmaster } from "#app/infra/database/embedded/process.server.ts";
  import setup from "#tests/support/global-setup.ts";
  await setup({ provide() {} });
  const folder = process.env.TMPDIR;
  console.log(JSON.stringify({ folder, ...postmaster(folder + "/postgres") }));
  process.exit(130);`;

test("a run that is broken off leaves no database and no folder", async () => {
  const { TEST_POSTGRES: _, ...env } = process.env;
  const words = ["--input-type=module-typescript", "--eval", BROKEN_OFF];
  const ended = promisify(execFile)(process.execPath, words, { env }).catch((error) => error);
  const { folder, pid } = JSON.parse((await ended).stdout) as { folder: string; pid: number };
  expect(existsSync(folder)).toBe(false);
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});
