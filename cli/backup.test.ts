import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { contentHash, storePicture } from "#app/catalog/pictures/originals.server.ts";
import { pictureStore } from "#app/catalog/pictures/store.server.ts";
import { MIGRATIONS } from "#app/infra/database/schema/files.server.ts";
import { inSchema } from "#app/infra/database/schema/setting.server.ts";
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

/** Rewrites the backup with only the lines for which `isKept` is true. */
function keepLines(isKept: (line: Record<string, unknown>) => boolean): void {
  const lines = gunzipSync(readFileSync(at)).toString().trim().split("\n");
  const kept = lines.filter((line) => isKept(JSON.parse(line)));
  expect(kept.length).toBeLessThan(lines.length);
  writeFileSync(at, gzipSync(`${kept.join("\n")}\n`));
}

test("a backup names the number of rows of each table and of pictures, in its result and in its file", async () => {
  const { data } = await run("backup", at);
  expect(data).toMatchObject({ tables: { products: 2, product_sizes: 3, sales: 0 }, pictures: expect.any(Number) });
  const last = gunzipSync(readFileSync(at)).toString().trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ counts: { tables: { products: 2, product_sizes: 3 } } });
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a backup overwrites nothing", async () => {
  writeFileSync(at, "a good backup");
  expect(await run("backup", at)).toMatchObject({ code: 2, text: expect.stringContaining("never overwrites a file") });
  expect(readFileSync(at, "utf8")).toBe("a good backup");
});

/** Rewrites the backup as an older version would have made it: `change` changes its head, `rowOf` its rows. */
function asOlder(
  change: (head: Record<string, unknown>) => object,
  rowOf: (row: Record<string, unknown>, table: string) => object | undefined = (row) => row,
): void {
  const lines = gunzipSync(readFileSync(at)).toString().trim().split("\n");
  const left: Record<string, number> = {};
  const older = lines.flatMap((line) => {
    const read = JSON.parse(line);
    if ("irepo" in read) return [{ ...read, ...change(read) }];
    if ("counts" in read) return [{ counts: { ...read.counts, tables: left } }];
    if (!("table" in read)) return [read];
    const row = rowOf(read.row, read.table);
    if (row) left[read.table] = (left[read.table] ?? 0) + 1;
    return row ? [{ ...read, row }] : [];
  });
  writeFileSync(at, gzipSync(`${older.map((line) => JSON.stringify(line)).join("\n")}\n`));
}

const OF_0_1_0 = { migrations: ["0001-schema"], hashes: undefined };

/** Returns a function that reduces a row to the columns of version 0.1.0, or to undefined if the table came later. */
async function rowsOf0_1_0(): Promise<(row: Record<string, unknown>, table: string) => object | undefined> {
  const columns = await db()
    .transaction()
    .execute(async (trx) => {
      await sql`create schema of_0_1_0`.execute(trx);
      await inSchema(trx, "of_0_1_0", () => sql.raw(MIGRATIONS["0001-schema"] ?? "").execute(trx));
      const { rows } = await sql<{ table: string; column: string }>`
        select table_name as table, column_name as column from information_schema.columns where table_schema = 'of_0_1_0'
      `.execute(trx);
      await sql`drop schema of_0_1_0 cascade`.execute(trx);
      return Map.groupBy(rows, ({ table }) => table);
    });
  return (row, table) => {
    const known = columns.get(table)?.map(({ column }) => column);
    return known && Object.fromEntries(Object.entries(row).filter(([name]) => known.includes(name)));
  };
}

test("43 a backup of version 0.1.0 is restored and migrated to this version", async () => {
  const before = await products();
  await run("backup", at);
  asOlder(() => OF_0_1_0, await rowsOf0_1_0());
  await wipe();
  expect(await run("restore", at)).toMatchObject({ code: 0, text: expect.stringMatching(/^Restored: /) });
  expect(await products()).toEqual(before);
  expect((await sql`select from pg_namespace where nspname = 'from_backup'`.execute(db())).rows).toEqual([]);
});

test.each<[string, () => void, RegExp]>([
  [
    "of a build with another text of a migration",
    () => asOlder(({ hashes }) => ({ hashes: { ...(hashes as object), "0001-schema": "0".repeat(64) } })),
    /a build of the shop that has another 0001-schema\.sql: restore it with that build$/,
  ],
  [
    "of another version's migrations",
    () => asOlder(() => ({ migrations: ["0001-shop", "0002-search"] })),
    /another version of the shop \(its migration 0002-search is unknown here\): restore it with that version$/,
  ],
  [
    "of a version whose tables were others under the same name",
    () =>
      asOlder(
        () => OF_0_1_0,
        ({ publish_at: _, ...row }) => row,
      ),
    /before 0\.1\.0, whose products were others: restore it with the version that made it/,
  ],
])("43 a backup %s is refused with the reason, and nothing changes", async (_, age, sentence) => {
  await run("backup", at);
  age();
  const before = await products();
  expect(await run("restore", at)).toMatchObject({ code: 2, text: expect.stringMatching(sentence) });
  expect(await products()).toEqual(before);
});

test("44 a backup in a folder is named after its time, and --keep deletes all but the newest of those", async () => {
  const place = mkdtempSync(path.join(folder, "nights-"));
  const [oldest, old, others] = [
    "irepo-2026-01-30T02-10-00Z.backup",
    "irepo-2026-01-31T02-10-00Z.backup",
    "mine.backup",
  ];
  for (const name of [oldest, old, others]) writeFileSync(path.join(place, name), "");
  expect(await run("backup", place, "--keep", "2")).toMatchObject({
    code: 0,
    data: { removed: 1 },
    text: expect.stringMatching(/irepo-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup holds .* Older backups deleted: 1\.$/),
  });
  const [made, ...rest] = readdirSync(place)
    .sort()
    .reverse()
    .filter((name) => name !== others);
  expect([made !== undefined && made > old, rest]).toEqual([true, [old]]);
  await wipe();
  expect(await run("restore", path.join(place, made ?? ""))).toMatchObject({ code: 0 });
});

test("44 while a picture is missing, no older backup is deleted, since it may hold the picture", async () => {
  const place = mkdtempSync(path.join(folder, "nights-"));
  writeFileSync(path.join(place, "irepo-2026-01-30T02-10-00Z.backup"), "");
  await show(randomBytes(10).toString("hex"), await makeProduct(db(), { M: 1 }));
  expect(await run("backup", place, "--keep", "1")).toMatchObject({ code: 1, data: { removed: 0 } });
  expect(readdirSync(place)).toHaveLength(2);
});

test.each([["0"], ["-1"], ["many"]])("44 --keep %s is refused, and so is --keep with a file", async (keep) => {
  expect(await run("backup", folder, "--keep", keep)).toMatchObject({ code: 2 });
  expect(await run("backup", at, "--keep", "3")).toMatchObject({ code: 2, text: expect.stringContaining("no folder") });
  expect(existsSync(at)).toBe(false);
});

test("an empty shop is not backed up", async () => {
  await wipe();
  expect(await run("backup", at)).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^DATA_DIR \(.*empty \(no products, customers or orders\)/),
  });
  expect(existsSync(at)).toBe(false);
});

test("a missing picture is named with its product; everything else is backed up and restored", async () => {
  const lost = randomBytes(10).toString("hex");
  await show(lost, await makeProduct(db(), { M: 1 }));
  const missing = new RegExp(`pictures are missing:\\n {2}${lost} of \\S+$`);
  expect(await run("backup", at)).toMatchObject({ code: 1, text: expect.stringMatching(missing) });
  await wipe();
  expect(await run("restore", at)).toMatchObject({ code: 1, text: expect.stringMatching(missing) });
  expect(await products()).toHaveLength(3);
});

test("a picture whose content does not match its hash is named as missing; everything else is backed up", async () => {
  writeFileSync(original, "half a pict");
  expect(await run("backup", at)).toMatchObject({
    code: 1,
    text: expect.stringMatching(new RegExp(`pictures are missing:\\n {2}${hash} of \\S+$`)),
  });
});

test("a backup without any of the pictures, as on another machine, needs a confirmation", async () => {
  vi.spyOn(pictureStore(), "list").mockImplementation(async function* () {});
  expect(await run("backup", at)).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^PICTURES_URL: none of the shop's 1 pictures are in /),
  });
  expect(existsSync(at)).toBe(false);
});

test("restore --pictures restores missing and damaged pictures into a shop with orders, and no row", async () => {
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
    text: expect.stringMatching(/^2 pictures restored, \d+ were already there\.$/),
  });
  expect([readFileSync(lostAt), readFileSync(damagedAt)]).toEqual([lost, damaged]);
  expect(await products()).toEqual(sold);
  expect(await run("restore", at, "--pictures")).toMatchObject({ code: 0, data: { restored: 0 } });
  for (const place of places) rmSync(place);
});

test("restore --pictures names the pictures that the backup lacks", async () => {
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

test("a customer who registers while the pictures are restored is kept: nothing is restored", async () => {
  expect(await run("backup", at)).toMatchObject({ code: 0 });
  await wipe();
  vi.spyOn(pictureStore(), "write").mockImplementationOnce(async () => void (await makeShopper(db())));
  expect(await run("restore", at)).toMatchObject({
    code: 2,
    text: expect.stringContaining("only be restored into an empty shop"),
  });
  expect(await products()).toEqual([]);
  expect(await db().selectFrom("users").select("id").execute()).toHaveLength(1);
});
