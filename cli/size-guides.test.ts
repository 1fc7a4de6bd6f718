import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...words: string[]) => command(db(), ["size-guides", ...words]);
const folder = mkdtempSync(path.join(tmpdir(), "irepo-size-guides-"));
const file = path.join(folder, "guides.json");
const set = (content: unknown) => {
  writeFileSync(file, JSON.stringify(content));
  return say("set", file);
};
const shown = async (...words: string[]) => (await say("show", ...words)).data;
const TEES = { id: "tees", ...sizeGuide() };

afterEach(async () => {
  await db().deleteFrom("sizeGuides").execute();
});

test("what 'size-guides show' prints is read by 'size-guides set': changed, it changes the guide", async () => {
  const product = await makeProduct(db(), { M: 3 });
  expect(await say("list")).toMatchObject({ code: 0, text: "No size guides yet" });
  expect(await set({ ...TEES, kinds: ["tees"] })).toMatchObject({ code: 0, text: "Set: tees" });
  expect(await shown("tees")).toEqual([{ ...TEES, kinds: ["tees"] }]);
  const changed = { ...TEES, falls: "", products: [product], sizes: [{ size: "M", cm: [97, 61.5] }] };
  expect(await set([changed])).toMatchObject({ code: 0 });
  expect(await shown()).toEqual([changed]);
  expect((await say("list")).text).toBe("tees  Tees  Chest, Sleeve  for 1 product");
});

test("'size-guides set' of unchanged values adds no row to the audit log, and a change logs only the changed fields", async () => {
  const rows = () => db().selectFrom("auditLog").select(["before", "after"]).where("action", "=", "size-guides set");
  const known = (await rows().execute()).length;
  const sizes = [{ size: "M", cm: [97, 61] }];
  for (const one of [TEES, TEES, { ...TEES, sizes }]) expect(await set(one)).toMatchObject({ code: 0 });
  const measures = ["Chest, Around the fullest part of your chest: S 92, M 96.5, L 102", "Sleeve: S 60, M 61, L 63"];
  const { name, falls } = TEES;
  expect((await rows().orderBy("id").execute()).slice(known)).toEqual([
    { before: null, after: { name, falls, kinds: [], collections: [], products: [], measures } },
    {
      before: { measures },
      after: { measures: ["Chest, Around the fullest part of your chest: M 97", "Sleeve: M 61"] },
    },
  ]);
});

test("a kind can move from one guide to another within a file, in any order", async () => {
  const caps = { ...TEES, id: "caps", name: "Caps" };
  await set([caps, { ...TEES, kinds: ["tees"] }]);
  const moved = [{ ...caps, kinds: ["tees"] }, TEES];
  expect(await set(moved)).toMatchObject({ code: 0 });
  expect(await shown()).toEqual(moved);
  expect(await set({ ...TEES, kinds: ["tees"] })).toMatchObject({
    code: 2,
    text: "Size guide 'tees': The kind Tees already has the size guide “Caps”",
  });
  expect(await shown()).toEqual(moved);
});

const nine = Array.from({ length: 9 }, (_, at) => ({ name: `Measure ${at}`, meaning: "" }));
const row = (size: string, ...cm: number[]) => ({ size, cm });

test.each<[string, object, string]>([
  ["an address with capitals", { id: "Tees" }, "size guide 1, id: Letters from a to z"],
  ["the address of the office's form", { id: "new" }, "size guide 1, id: Another id"],
  ["no name", { name: " " }, "size guide 1, name: Give it a name"],
  ["a name that is too long", { name: "x".repeat(61) }, "name: At most 60 letters"],
  ["a line that is too long", { falls: "x".repeat(121) }, "falls: At most 120 letters"],
  ["a kind that no product has", { kinds: ["hats"] }, "size guide 1, kinds.0: "],
  ["no measures", { measures: [] }, "measures: At least one measure"],
  ["nine measures", { measures: nine }, "measures: At most 8 measures"],
  ["a measure without a name", { measures: [{ name: "" }], sizes: [row("S", 92)] }, "measures.0.name: Give it a name"],
  [
    "a measure twice",
    { measures: [{ name: "Chest" }, { name: "chest" }] },
    "measures.1.name: Another measure has this name",
  ],
  ["no sizes", { sizes: [] }, "sizes: At least one size"],
  ["a size twice", { sizes: [row("S", 92, 60), row("S", 93, 61)] }, "sizes.1.size: This size is there twice"],
  ["a size that the shop has not", { sizes: [row("XXXL", 92, 60)] }, "sizes.0.size: "],
  ["the one size beside others", { sizes: [row("S", 92, 60), row("ONE", 92, 60)] }, "sizes: This mixes sizes"],
  ["a value too few", { sizes: [row("S", 92)] }, "sizes.0.cm: One value for each measure"],
  ["no centimetre", { sizes: [row("S", 0, 60)] }, "sizes.0.cm.0: Centimetres from 1 to 300"],
  ["too many centimetres", { sizes: [row("S", 301, 60)] }, "sizes.0.cm.0: Centimetres from 1 to 300"],
  ["two decimals", { sizes: [row("S", 92.25, 60)] }, "sizes.0.cm.0: Centimetres from 1 to 300"],
  ["a number as text", { sizes: [{ size: "S", cm: ["92", 60] }] }, "sizes.0.cm.0: "],
  ["a field that no guide has", { price: 3 }, "size guide 1: "],
  ["a product that isn't there", { products: ["nothing"] }, "Size guide 'tees': There’s no product 'nothing'"],
])("%s is bad input, and nothing is changed", async (_, other, text) => {
  expect(await set({ ...TEES, ...other })).toMatchObject({ code: 2, text: expect.stringContaining(text) });
  expect(await shown()).toEqual([]);
});

test("a file with several guides is applied as a whole or not at all; a guide that is there twice is refused", async () => {
  await set([TEES, { ...TEES, id: "caps", name: "Caps", products: ["nothing"] }]);
  expect(await shown()).toEqual([]);
  expect(await set([TEES, TEES])).toMatchObject({ code: 2, text: "The size guide 'tees' is there twice" });
});

test("'size-guides remove' asks for confirmation, and leaves the products", async () => {
  const product = await makeProduct(db(), { M: 3 });
  await set({ ...TEES, products: [product] });
  expect(await say("remove", "tees")).toMatchObject({
    code: 2,
    text: expect.stringContaining("Remove the size guide “Tees”?"),
  });
  expect(await say("remove", "tees", "--yes")).toMatchObject({ code: 0, data: { removed: "tees" } });
  expect(await shown()).toEqual([]);
  expect(await db().selectFrom("products").select("id").where("id", "=", product).execute()).toHaveLength(1);
  expect(await say("remove", "tees", "--yes")).toMatchObject({ code: 2 });
  expect(await say("show", "tees")).toMatchObject({ code: 2, text: "There’s no size guide 'tees'" });
});

test("a backup restores the size guides with their kinds, collections and products", async () => {
  const product = await makeProduct(db(), { M: 3 });
  const guide = { ...TEES, kinds: ["tees"], products: [product] };
  await set(guide);
  const at = path.join(folder, "shop.backup");
  expect(await command(db(), ["backup", at])).toMatchObject({ code: 0 });
  await say("remove", "tees", "--yes");
  await sql`truncate products, users, orders cascade`.execute(db());
  expect(await command(db(), ["restore", at, "--yes"])).toMatchObject({ code: 0 });
  expect(await shown()).toEqual([guide]);
});
