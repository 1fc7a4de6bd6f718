import { afterEach, beforeEach, expect, vi } from "vitest";

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
