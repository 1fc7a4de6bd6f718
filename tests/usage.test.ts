import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { USAGES, usageOf } from "../scripts/usage.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const commands = Object.values(scripts).map((line) => line.split(" ").at(-1) ?? "");
const boot = (...words: string[]) => spawnSync(process.execPath, ["scripts/boot.mjs", ...words], { encoding: "utf8" });

test("49 every npm command says what it does and takes, and does nothing else, when it is asked for help", () => {
  expect(commands.filter((name) => !(name === "shop" || name in USAGES))).toEqual([]);
  for (const name of ["bench", "start"])
    expect(boot(name, "--help")).toMatchObject({ status: 0, stdout: `${usageOf(name)}\n`, stderr: "" });
  expect(usageOf("bench")).toBe(
    "npm run bench -- [PART...]\nMeasures the shop, all parts or those named: bench/README.md.\n  --record\n      keeps the figures in bench/figures.json",
  );
});

test.each([
  ["fuzz", "--lost"],
  ["prove", "--minutes", "five"],
  ["chaos", "--buyers", "many"],
])("49 what a command does not know ends it with 2 and its usage, in place of a stack: %s %s", (name, ...words) => {
  const { status, stderr } = boot(name, ...words);
  expect([status, stderr.includes(usageOf(name)), /^ +at /m.test(stderr)]).toEqual([2, true, false]);
});
