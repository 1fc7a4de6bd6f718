import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** What stands on standard output when a process logs this. */
function said(code: string): string {
  const program = `import { log } from "#app/infra/log.server.ts"; ${code}`;
  const env = { PATH: process.env.PATH, DATA_DIR: process.env.DATA_DIR, LOG_LEVEL: "info" };
  return spawnSync(process.execPath, ["--input-type=module", "-e", program], { env, encoding: "utf8" }).stdout;
}

test("S60 of an error of the database the log has what failed, and nothing of the row", () => {
  const detail = "Key (email)=(ada@example.com) already exists.";
  const where = 'COPY users, line 1, column email: "ada@example.com"';
  const error = { code: "23505", constraint: "users_email_key", detail, where };
  const line = JSON.parse(
    said(`log.error({ err: Object.assign(new Error("duplicate"), ${JSON.stringify(error)}) }, "x")`),
  );
  expect(line.err).toMatchObject({ message: "duplicate", code: "23505", constraint: "users_email_key" });
  expect(JSON.stringify(line)).not.toContain("ada@example.com");
});
