import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HAPROXY, haproxyProblem } from "./haproxy.ts";
import { databaseConfiguration } from "./haproxy-database.ts";

const folder = mkdtempSync(path.join(tmpdir(), "irepo-haproxy-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!existsSync(HAPROXY))("haproxy (Debian's, where it is installed)", () => {
  const nodes = ["one", "two"].map((name, at) => ({ name, port: 21_990 + at, restPort: 21_992 + at }));
  const file = path.join(folder, "haproxy.cfg");

  test("takes the configuration that follows the primary", () => {
    writeFileSync(file, databaseConfiguration(21_994, nodes));
    expect(haproxyProblem(file)).toBeUndefined();
  });

  test("refuses one that it does not understand, with its words", () => {
    writeFileSync(file, databaseConfiguration(21_994, nodes).replace("http-check", "http-chek"));
    expect(haproxyProblem(file)).toContain("http-chek");
  });
});
