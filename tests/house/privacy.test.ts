import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KEPT } from "#app/content/kept.ts";

const files = globSync("app/**/*.{ts,tsx}", { exclude: (name) => name === "staff" || /\.test\./.test(name) });
const LIST = "app/content/kept.ts";
const sources = files
  .filter((file) => !file.startsWith("app/staff/") && file !== LIST)
  .map((file) => readFileSync(file, "utf8"));
const constants = (source: string) =>
  new Map([...source.matchAll(/const ([A-Z][A-Z_]*) = "([^"]+)"/g)].map(([, name = "", text = ""]) => [name, text]));
const everywhere = new Map(sources.flatMap((source) => [...constants(source)]));

const STORED =
  /(?:readStored(?:Object)?|[^.\w]store|[sS]torage\.(?:get|set)Item)(?:<\w+>)?\(\s*(?:"([^"]+)"|([A-Z][A-Z_]*))/g;

test("36 the privacy policy and the notice name every cookie, and all that the browser keeps", () => {
  const cookies = sources.flatMap((source) => [...source.matchAll(/"(irepo[._][a-z]+)"/g)].map(([, name]) => name));
  const stored = sources.flatMap((source) =>
    [...source.matchAll(STORED)].map(
      ([, text, name = ""]) => text ?? constants(source).get(name) ?? everywhere.get(name),
    ),
  );
  const listed = KEPT.flatMap(({ names }) => names);
  expect(listed.toSorted()).toEqual([...new Set([...cookies, ...stored])].toSorted());
  expect(readFileSync("app/content/privacy.tsx", "utf8")).toContain("KEPT.map");
});
