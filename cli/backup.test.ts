import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { contentHash, storePicture } from "#app/catalog/pictures/originals.server.ts";
import { pictureStore } from "#app/catalog/pictures/store.server.ts";
import { env } from "#app/infra/env.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";

const database = useDatabase();
const db = () => database.db();
const folder = mkdtempSync(path.join(tmpdir(), "irepo-backup-"));
const bytes = Buffer.from(`a picture of its own: ${folder}`);
const hash = contentHash(bytes);
const original = path.join(env.dataDir, "pictures", `${hash}.jpg`);
let at: string;
let count = 0;

const run = (...line: ["backup" | "restore", ...string[]]) => command(db(), line);

const wipe = () => sql`truncate products, users, orders cascade`.execute(db());
const products = () => db().selectFrom("products").select("id").orderBy("id").execute();

/** Two products, of which one has a picture. */
beforeEach(async () => {
  at = path.join(folder, `${++count}.backup`);
  await storePicture(bytes);
  await makeProduct(db(), { M: 3 });
  const id = await makeProduct(db(), { S: 2, L: 1 });
  await show(hash, id);
});

async function show(picture: string, id: string): Promise<void> {
  const images = JSON.stringify([{ hash: picture, width: 8, height: 10, alt: "", background: "#aa0000" }]);
  await db().updateTable("products").set({ images }).where("id", "=", id).execute();
}

afterEach(wipe);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(original, { force: true });
});

/** The backup with only those of its lines. */
function keepLines(isKept: (line: Record<string, unknown>) => boolean): void {
  const lines = gunzipSync(readFileSync(at)).toString().trim().split("\n");
  const kept = lines.filter((line) => isKept(JSON.parse(line)));
  expect(kept.length).toBeLessThan(lines.length);
  writeFileSync(at, gzipSync(`${kept.join("\n")}\n`));
}

test("a backup says how many rows of each table and how many pictures it holds, in itself too", async () => {
  const { data } = await run("backup", at);
  expect(data).toMatchObject({ tables: { products: 2, product_sizes: 3, sales: 0 }, pictures: expect.any(Number) });
  const last = gunzipSync(readFileSync(at)).toString().trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ counts: { tables: { products: 2, product_sizes: 3 } } });
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a backup overwrites nothing", async () => {
  writeFileSync(at, "a good backup");
  expect(await run("backup", at)).toMatchObject({ code: 2, text: expect.stringContaining("overwrites nothing") });
  expect(readFileSync(at, "utf8")).toBe("a good backup");
});

test("an empty shop is not backed up", async () => {
  await wipe();
  expect(await run("backup", at)).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^DATA_DIR \(.*empty \(no product, no customer, no order\)/),
  });
  expect(existsSync(at)).toBe(false);
});

test("a picture that a product names and that is missing is named with it; the rest is backed up, and comes back so", async () => {
  const lost = randomBytes(10).toString("hex");
  await show(lost, await makeProduct(db(), { M: 1 }));
  const missing = new RegExp(`pictures are missing:\\n {2}${lost} of \\S+$`);
  expect(await run("backup", at)).toMatchObject({ code: 1, text: expect.stringMatching(missing) });
  await wipe();
  expect(await run("restore", at)).toMatchObject({ code: 1, text: expect.stringMatching(missing) });
  expect(await products()).toHaveLength(3);
});

test("a picture that is not what its name says is named as missing; the rest is backed up", async () => {
  writeFileSync(original, "half a pict");
  expect(await run("backup", at)).toMatchObject({
    code: 1,
    text: expect.stringMatching(new RegExp(`pictures are missing:\\n {2}${hash} of \\S+$`)),
  });
});

test("where none of the pictures is, as on another machine, a backup is not made before somebody agrees", async () => {
  vi.spyOn(pictureStore(), "list").mockImplementation(async function* () {});
  expect(await run("backup", at)).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^PICTURES_URL: none of the shop's 1 pictures is in /),
  });
  expect(existsSync(at)).toBe(false);
});

test("its pictures alone come back into a shop that sells: those that are missing or damaged, and no row", async () => {
  const [lost, damaged] = ["lost", "damaged"].map((name) => Buffer.from(`${name}: ${folder}`)) as [Buffer, Buffer];
  const places = [lost, damaged].map((one) => path.join(env.dataDir, "pictures", `${contentHash(one)}.jpg`));
  for (const one of [lost, damaged]) await show(await storePicture(one), await makeProduct(db(), { M: 1 }));
  expect(await run("backup", at)).toMatchObject({ code: 0 });
  const [lostAt = "", damagedAt = ""] = places;
  rmSync(lostAt);
  writeFileSync(damagedAt, "half a pict");
  await makeProduct(db(), { M: 1 });
  const sold = await products();
  expect(await run("restore", at, "--pictures")).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^2 pictures are back, \d+ were there\.$/),
  });
  expect([readFileSync(lostAt), readFileSync(damagedAt)]).toEqual([lost, damaged]);
  expect(await products()).toEqual(sold);
  expect(await run("restore", at, "--pictures")).toMatchObject({ code: 0, data: { restored: 0 } });
  for (const place of places) rmSync(place);
});

test("a picture that a backup does not have is named when its pictures come back", async () => {
  expect(await run("backup", at)).toMatchObject({ code: 0 });
  const lost = randomBytes(10).toString("hex");
  await show(lost, await makeProduct(db(), { M: 1 }));
  expect(await run("restore", at, "--pictures")).toMatchObject({
    code: 1,
    text: expect.stringMatching(new RegExp(`pictures are missing:\\n {2}${lost} of \\S+$`)),
  });
});

test.each<[string, (line: Record<string, unknown>) => boolean, RegExp]>([
  ["a row", ({ row }) => (row as { size?: string } | undefined)?.size !== "M", /product_sizes \(2 of 3\)/],
  ["a picture", ({ file }) => file !== hash, /holds \d+ of \d+ pictures/],
  ["its end", ({ counts }) => !counts, /end of .* is missing/],
])("a backup that lacks %s is not restored, and what is missing is named", async (_, isKept, said) => {
  expect(await run("backup", at)).toMatchObject({ code: 0 });
  keepLines(isKept);
  await wipe();
  expect(await run("restore", at)).toMatchObject({ code: 1, text: expect.stringMatching(said) });
  expect(await products()).toEqual([]);
});

test("a customer who comes while the pictures are restored is not lost: nothing is restored", async () => {
  expect(await run("backup", at)).toMatchObject({ code: 0 });
  await wipe();
  vi.spyOn(pictureStore(), "write").mockImplementationOnce(async () => void (await makeShopper(db())));
  expect(await run("restore", at)).toMatchObject({ code: 2, text: expect.stringContaining("only into an empty one") });
  expect(await products()).toEqual([]);
  expect(await db().selectFrom("users").select("id").execute()).toHaveLength(1);
});
