import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { NAMED_FILES } from "#app/infra/http/server/named-files.server.ts";
import { ROOT, shipped } from "./sources.ts";

/** The files that may hold the name that the shop comes with, and why. */
const MAY: Record<string, string> = {
  "app/brand/brand.ts": "the room",
  "server.ts": "what the start prints is the program's name",
  "sandbox/checkout-pages.ts": "the sandbox is the demo's, and another program",
  "sandbox/pages.ts": "the same",
  ...Object.fromEntries(
    Object.values(NAMED_FILES).flatMap((names) => names.map((name) => [`public${name}`, "served with the name"])),
  ),
};

const files = globSync("public/*.{html,js,webmanifest,svg}", { cwd: ROOT });
const all = [...shipped, ...files.map((file) => ({ file, text: readFileSync(path.join(ROOT, file), "utf8") }))];

test("the shop's name stands in no file but its room, and those that are served with the owner's", () => {
  expect(files.length).toBeGreaterThan(5);
  const holds = all.filter(({ text }) => /\b(?:Irepo|IREPO)\b/.test(text)).map(({ file }) => file);
  expect(holds.sort()).toEqual(Object.keys(MAY).sort());
});
