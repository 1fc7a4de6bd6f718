import { expect, test } from "vitest";
import { lineOf } from "./problem.server.ts";

test.each([
  ["EROFS", "the file system is read-only: name a place that can be written to"],
  ["ENOENT", "it cannot be made there: name a place that can be written to"], // as Node reports it for a nested folder
])("49 a DATA_DIR on a read-only file system (%s) is a problem of that setting, with a remedy", (code, says) => {
  const error = Object.assign(new Error(`${code}: mkdir`), { code, syscall: "mkdir", path: "/mnt/data" });
  expect(lineOf(error, "/mnt/data")).toBe(`DATA_DIR: /mnt/data: ${says}`);
});
