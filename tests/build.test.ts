import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { markUsed } from "../scripts/build.ts";

const NOT_OURS = "/proc/self";

test.skipIf(!existsSync(NOT_OURS))("a build is used also by somebody who may write nothing", () => {
  expect(() => markUsed(NOT_OURS)).not.toThrow();
});

test("a build that is not there is an error", () => {
  expect(() => markUsed("build/none")).toThrow(/ENOENT/);
});
