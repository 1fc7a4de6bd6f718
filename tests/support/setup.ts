import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";

// Read when the first module of the shop is loaded: no file of tests finds the mails or the pictures of another.
process.env.DATA_DIR = mkdtempSync(path.join(tmpdir(), "irepo-data-"));

/** What a test did not expect to be written on the console fails it. */
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  const written = [...vi.mocked(console.error).mock.calls, ...vi.mocked(console.warn).mock.calls];
  vi.restoreAllMocks();
  expect(written, "nothing may be written to console.error or console.warn").toEqual([]);
});
