import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { markUsed, SOURCES } from "../scripts/build.ts";
import { changedSince, readProvenance, sourceAt, writeProvenance } from "../scripts/provenance.ts";

const NOT_OURS = "/proc/self";

test.skipIf(!existsSync(NOT_OURS))("a build can be used without permission to write", () => {
  expect(() => markUsed(NOT_OURS)).not.toThrow();
});

test("a missing build is an error", () => {
  expect(() => markUsed("build/none")).toThrow(/ENOENT/);
});

test("S65 a build says what it was made from, and which of its files are no longer those that were built", () => {
  const { folder, write } = newFolder();
  for (const name of ["kept.js", "changed.js", "removed.js"]) write(name, "built");
  writeProvenance(folder, SOURCES);
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

test("S65 a build says whether its sources are those of a commit: not with a changed, added or ignored file among them", () => {
  const { folder, write } = newFolder();
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  mkdirSync(path.join(folder, "public"));
  write("server.ts", "sold");
  write("public/logo.svg", "<svg/>");
  write(".gitignore", "*.log");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "All");
  const gitCommit = git("rev-parse", "HEAD");
  const source = () => sourceAt(folder, ["public", "server.ts"]);
  write("notes.txt", "of nobody's concern");
  expect(source()).toEqual({ gitCommit, changed: false });
  for (const [name, usual] of [["public/added.js"], ["public/ignored.log"], ["server.ts", "sold"]] as const) {
    write(name, "by somebody");
    expect(source(), name).toEqual({ gitCommit, changed: true });
    usual ? write(name, usual) : rmSync(path.join(folder, name));
  }
  expect(source()).toEqual({ gitCommit, changed: false });
});

test("S65 without git a build names the commit in IREPO_COMMIT, and says nothing about changes", () => {
  const { folder } = newFolder();
  vi.stubEnv("IREPO_COMMIT", "1234567890abcdef");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(sourceAt(folder, ["public"])).toEqual({ gitCommit: "1234567890abcdef" });
});

function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-provenance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, write: (name: string, text: string) => writeFileSync(path.join(folder, name), text) };
}
