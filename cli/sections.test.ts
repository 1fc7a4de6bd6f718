import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { SHIPPED_SECTIONS } from "#app/catalog/home/own-sections.ts";
import { env } from "#app/infra/env.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();
const folder = mkdtempSync(path.join(tmpdir(), "irepo-sections-"));
env.pictures = { folder: mkdtempSync(path.join(tmpdir(), "irepo-pictures-")) };
const file = path.join(folder, "sections.json");
const say = (...words: string[]) => command(db(), ["sections", ...words]);
const set = (content: unknown) => {
  writeFileSync(file, JSON.stringify(content));
  return say("set", file);
};
const shown = async () => (await say("show")).data;

afterEach(() => db().deleteFrom("shopSettings").execute());

test("what 'sections show' prints is read by 'sections set', with a picture beside the file, and put back by 'sections reset'", async () => {
  expect(await shown()).toEqual(SHIPPED_SECTIONS);
  await sharp({ create: { width: 30, height: 20, channels: 3, background: "#ffffff" } })
    .png()
    .toFile(path.join(folder, "yard.png"));
  const yard = { kind: "picture", title: "The yard", alt: "A yard of cloth", picture: "yard.png" };
  expect(await set([yard, ...SHIPPED_SECTIONS.slice(0, 2)])).toMatchObject({
    code: 0,
    text: "The home page now has 3 sections below its slides.",
  });
  const now = await shown();
  const picture = { hash: expect.any(String), width: 30, height: 20 };
  expect(now).toMatchObject([{ ...yard, id: "1", text: "", to: "", picture }, ...SHIPPED_SECTIONS.slice(0, 2)]);
  expect(await set(now)).toMatchObject({ code: 0, data: now });
  expect(await command(db(), ["sections", "reset"], false)).toMatchObject({ code: 2 });
  expect(await shown()).toEqual(now);
  expect(await say("reset", "--yes")).toMatchObject({ code: 0 });
  expect(await shown()).toEqual(SHIPPED_SECTIONS);
});

test("each problem is a line that names its section and field, and nothing is changed", async () => {
  const dead = { kind: "slogan", title: "Hello", to: "/nowhere", label: "Go" };
  expect(await set([SHIPPED_SECTIONS[0], dead])).toMatchObject({
    code: 2,
    text: "Nothing was changed.\nsection 2, to: The shop has no page /nowhere.",
  });
  const untitled = await set([{ kind: "slogan", title: "" }]);
  expect(untitled).toMatchObject({ code: 2, text: "Nothing was changed.\nsection 1, title: Give it a title" });
  expect(await set({})).toMatchObject({ code: 2, text: expect.stringContaining("'sections show' prints") });
  expect(await shown()).toEqual(SHIPPED_SECTIONS);
});
