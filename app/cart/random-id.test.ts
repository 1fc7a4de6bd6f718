import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { randomId } from "./random-id.ts";

afterEach(() => vi.unstubAllGlobals());

test("an id is the browser's randomUUID, if there is one", () => {
  vi.stubGlobal("crypto", { randomUUID: () => "its own" });
  expect(randomId()).toBe("its own");
});

test("all bits of an id are random, except for the UUID's version and variant", () => {
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) });
  expect(randomId()).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
});

test("without a secure connection, an id is a UUID, too, and another one each time", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const names = Array.from({ length: 100 }, randomId);
  for (const name of names) expect(z.uuidv4().safeParse(name).success, name).toBe(true);
  expect(new Set(names).size).toBe(100);
});
