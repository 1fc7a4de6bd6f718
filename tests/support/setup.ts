import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { evidence, runs } from "./evidence.ts";

// Set before the first module of the shop reads it: no test file finds the mails or the pictures of another one.
process.env.DATA_DIR = mkdtempSync(path.join(tmpdir(), "irepo-data-"));

beforeEach(({ task, onTestFailed }) => {
  runs(task.id);
  onTestFailed(async () => {
    task.meta.evidence = await evidence(task.id);
  });
});
afterEach(() => runs(undefined));

/** Unexpected output on the console fails a test. */
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  const written = [...vi.mocked(console.error).mock.calls, ...vi.mocked(console.warn).mock.calls];
  vi.restoreAllMocks();
  expect(written, "nothing may be written to console.error or console.warn").toEqual([]);
});
