import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** The standard output of a process that runs this code. */
function said(code: string): string {
  const program = `import { log } from "#app/infra/log.server.ts"; ${code}`;
  const env = { PATH: process.env.PATH, DATA_DIR: process.env.DATA_DIR, LOG_LEVEL: "info" };
  return spawnSync(process.execPath, ["--input-type=module", "-e", program], { env, encoding: "utf8" }).stdout;
}

test("S60 the log of a database error has the cause, and nothing of the row", () => {
  const detail = "Key (email)=(ada@example.com) already exists.";
  const where = 'COPY users, line 1, column email: "ada@example.com"';
  const error = { code: "23505", constraint: "users_email_key", detail, where };
  const line = JSON.parse(
    said(`log.error({ err: Object.assign(new Error("duplicate"), ${JSON.stringify(error)}) }, "x")`),
  );
  expect(line.err).toMatchObject({ message: "duplicate", code: "23505", constraint: "users_email_key" });
  expect(JSON.stringify(line)).not.toContain("ada@example.com");
});

test("13 control characters of a header are escaped in the log, also those above ASCII", () => {
  const header = "\\u0007a\\u009b31m\\u0085b\\u007f";
  const line = said(`log.warn({ host: "${header}" }, "x")`);
  expect(line).toContain("\\u0007a\\u009b31m\\u0085b\\u007f");
  expect(JSON.parse(line).host).toBe("\u0007a\u009b31m\u0085b\u007f");
});

test("13 a repeated error is logged once with its stack, and ten more times with its message", () => {
  const lines = said(`
    const fail = (n) => log.error({ err: new Error("no " + n), path: "/" + n }, "request failed");
    for (let n = 0; n < 500; n++) fail(n);
    log.error({ err: new TypeError("another") }, "request failed");`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(12);
  expect(lines[0].err.stack).toContain("no 0");
  expect(lines[10]).toMatchObject({ error: "Error: no 10", path: "/10", msg: "request failed" });
  expect(lines[10].err).toBeUndefined();
  expect(lines[11].err.stack).toContain("another");
});
