import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { randomId } from "./random-id.ts";

afterEach(() => vi.unstubAllGlobals());

test("where the browser makes names, its own is taken", () => {
  vi.stubGlobal("crypto", { randomUUID: () => "its own" });
  expect(randomId()).toBe("its own");
});

test("all of a name is random, but for what says of which kind it is", () => {
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) });
  expect(randomId()).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
});

test("without a secure connection a name is a UUID all the same, and another one each time", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const names = Array.from({ length: 100 }, randomId);
  for (const name of names) expect(z.uuidv4().safeParse(name).success, name).toBe(true);
  expect(new Set(names).size).toBe(100);
});
