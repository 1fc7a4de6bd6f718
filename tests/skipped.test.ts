import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeProvenance } from "../scripts/provenance.ts";
import { summary } from "./drills/drill.ts";

// A check that a command could not make is no success: the command must say so.

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-skipped-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs one of the project's commands with only the programs of this folder installed. */
function run(words: string[], folder: string): Promise<string> {
  const env = { ...process.env, PATH: folder, IREPO_BUILD: folder };
  return new Promise((resolve) => execFile(process.execPath, words, { env }, (_, stdout) => resolve(stdout)));
}

test.each([
  [
    { tried: 4, missed: 0, skipped: ["database (not installed: patroni)"] },
    "Every goal was met. Skipped: database (not installed: patroni).",
  ],
  [
    { tried: 0, missed: 0, skipped: ["database (not installed: patroni)"] },
    "Nothing was tried. Skipped: database (not installed: patroni).",
  ],
  [{ tried: 5, missed: 1, skipped: [] }, "Missed: 1."],
  [{ tried: 5, missed: 0, skipped: [] }, "Every goal was met."],
])("drills %o end with: %s", (run, line) => {
  expect(summary(run)).toBe(line);
});

/** An SBOM that lists almost none of the packages. */
const SBOM = JSON.stringify({ bomFormat: "CycloneDX", components: [{ name: "vite", version: "0.0.1" }] });

test("holes of packages that the registry says nothing of are not passed, nor is a list without what is locked", async () => {
  const folder = newFolder();
  for (const name of ["npm", "vitest"])
    writeFileSync(path.join(folder, name), `#!/bin/sh\necho '${SBOM}'\n`, { mode: 0o755 });
  writeProvenance(folder, []);
  const said = await run(["scripts/supply.ts"], folder);
  expect(said).toContain("skipped: known holes: because the registry does not answer this question");
  expect(said).toMatch(/FAILED: parts: without \d+ packages/);
  expect(said).toMatch(/passed: provenance: .* from [0-9a-f]{40}/);
  expect(await run(["scripts/supply.ts", "--offline"], folder)).toContain("skipped: known holes: because");
});
