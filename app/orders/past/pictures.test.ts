import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { importPastPictures } from "./pictures.server.ts";
import type { PastSale } from "./sale.ts";

const folder = mkdtempSync(path.join(tmpdir(), "irepo-past-"));
const { pictures: store } = env;
beforeAll(async () => {
  env.pictures = { folder: path.join(folder, "store") };
  mkdirSync(path.join(folder, "images"));
  const picture = (background: string) =>
    sharp({ create: { width: 8, height: 10, channels: 3, background } })
      .jpeg()
      .toBuffer();
  writeFileSync(path.join(folder, "red.jpg"), await picture("#a00"));
  writeFileSync(path.join(folder, "images", `${HASH}.jpg`), await picture("#0a0"));
});
afterAll(() => {
  env.pictures = store;
  rmSync(folder, { recursive: true });
});

const HASH = "0123456789abcdef0123";
const sale = (...lines: [picture: string | undefined, title: string][]) =>
  ({ lines: lines.map(([picture, title]) => ({ picture, title })) }) as PastSale;

test("each picture is had once, from the folder or from the export that its address names", async () => {
  const inExport = `https://old.example/images/${HASH}/640.jpg`;
  const done: number[] = [];
  const pictures = await importPastPictures(
    [sale(["red.jpg", "Red Jersey"], [undefined, "Cap"]), sale(["red.jpg", "Another"], [inExport, "Green Jersey"])],
    folder,
    (count) => done.push(count),
  );
  expect([...pictures]).toMatchObject([
    ["red.jpg", { alt: "Red Jersey", width: 8, height: 10, hash: expect.stringMatching(/^[0-9a-f]{20}$/) }],
    [inExport, { alt: "Green Jersey", width: 8, height: 10 }],
  ]);
  expect(done).toEqual([1, 2]);
});

const away = "cannot be fetched: 127.0.0.1 is no public address";
test.each([
  ["a file that is not there", "none.jpg", "is not in the folder of the import"],
  ["an address, of which the export has no file", `http://127.0.0.1/images/${"f".repeat(20)}/640.jpg`, away],
  ["an address that only looks like one of an export", `http://127.0.0.1/images/${HASH}/640.jpg?x=1`, away],
  ["an address of another kind of file", `http://127.0.0.1/images/${HASH}/640.png`, away],
  ["an address of a width that is none", `http://127.0.0.1/images/${HASH}/x640.jpg`, away],
])("of %s it is said what is wrong", async (_, picture, problem) => {
  const pictures = await importPastPictures([sale([picture, "Jersey"])], folder);
  expect(pictures.get(picture)).toEqual({ problem });
});
