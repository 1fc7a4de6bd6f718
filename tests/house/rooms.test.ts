import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, roomOf, shipped } from "./sources.ts";

/** The most files that a room may have, not counting tests. */
const MOST_FILES = 24;
/** Folders without a limit, since they have one file for each screen or command. */
const LISTS = ["app/routes", "office/routes", "cli"];

/** The folders in which git keeps files. */
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .trim()
  .split("\n");

describe("rooms", () => {
  const folders = Map.groupBy(
    tracked.filter((file) => /^(?:app|cli|office|sandbox)\/.*\.tsx?$/.test(file) && !file.includes(".test.")),
    (file) => path.dirname(file),
  );

  test("have no more than about twenty files", () => {
    const large = [...folders].filter(([folder, files]) => !LISTS.includes(folder) && files.length > MOST_FILES);
    expect(large.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });

  test("stand in no file's name as its first word, but in that of the file that the room is about", () => {
    const repeated = [...folders].flatMap(([folder, files]) =>
      files.filter((file) => path.basename(file).startsWith(`${path.basename(folder)}-`)),
    );
    expect(repeated).toEqual([]);
  });
});

describe("the README's map", () => {
  const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const drawn = readme.split("\n").filter((line) => line.startsWith("    "));
  /** The README's lines such as `app/          routes (one file a screen) …` */
  const lists = drawn.flatMap((line) => /^ {4}([\w-]+)\/ {2,}\S/.exec(line)?.[1] ?? []);
  const rooms = readdirSync(path.join(ROOT, "app"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const plan = drawn.slice(
    drawn.findIndex((line) => line.includes("app/routes ─")),
    drawn.findIndex((line) => line.includes("infra (")) + 1,
  );

  test("names each top folder, and no other", () => {
    const top = new Set(tracked.flatMap((file) => /^([\w-]+)\//.exec(file)?.[1] ?? []));
    expect(lists.sort()).toEqual([...top].sort());
  });

  test("draws each room of app", () => {
    expect(rooms.filter((room) => !plan.some((line) => new RegExp(`(?<![\\w-])${room}(?![\\w-])`).test(line)))).toEqual(
      [],
    );
  });

  test("draws no arrow that no import follows", () => {
    const imports = new Set(
      shipped.flatMap(({ file, imports }) => imports.map((target) => `${roomOf(file)} > ${roomOf(target)}`)),
    );
    const arrows = plan.flatMap((line) =>
      [...line.matchAll(/(?<![\w-])([a-z-]+) ─+> (?=([a-z-]+))/g)]
        .filter(([, from = "", to = ""]) => rooms.includes(from) && rooms.includes(to))
        .map(([, from, to]) => `${from} > ${to}`),
    );
    expect(arrows.length).toBeGreaterThan(4);
    expect(arrows.filter((arrow) => !imports.has(arrow))).toEqual([]);
  });
});
