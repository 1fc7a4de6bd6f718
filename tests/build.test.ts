import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { markUsed } from "../scripts/build.ts";
import { changedSince, readProvenance, writeProvenance } from "../scripts/provenance.ts";

const NOT_OURS = "/proc/self";

test.skipIf(!existsSync(NOT_OURS))("a build is used also by somebody who may write nothing", () => {
  expect(() => markUsed(NOT_OURS)).not.toThrow();
});

test("a build that is not there is an error", () => {
  expect(() => markUsed("build/none")).toThrow(/ENOENT/);
});

test("S65 a build says what it was made from, and which of its files are no longer those that were built", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-provenance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  for (const name of ["kept.js", "changed.js", "removed.js"]) write(name, "built");
  writeProvenance(folder);
  const made = readProvenance(folder);
  expect(made.predicate.buildDefinition.externalParameters.node).toBe(process.version);
  expect(made.predicate.buildDefinition.resolvedDependencies).toMatchObject([
    { digest: { gitCommit: expect.stringMatching(/^[0-9a-f]{40}$/) } },
    { name: "package-lock.json", digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  ]);
  expect(changedSince(folder, made)).toEqual([]);
  write("changed.js", "by somebody");
  write("added.js", "by somebody");
  rmSync(path.join(folder, "removed.js"));
  expect(changedSince(folder, made).sort()).toEqual(["added.js", "changed.js", "removed.js"]);
});
