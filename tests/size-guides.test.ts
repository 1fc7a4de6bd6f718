vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import { sizeGuideOf } from "#app/catalog/size-guides/guides.server.ts";
import { addCollection, addProducts } from "#app/owner/collections/collections.server.ts";
import type { SizeGuideWish } from "#app/owner/size-guides/size-guide.ts";
import { addSizeGuide, changeSizeGuide, deleteSizeGuide } from "#app/owner/size-guides/size-guides.server.ts";
import type { ProductKind } from "#db/types.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { newId } from "#tests/support/ids.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);

let product: string;

beforeEach(async () => {
  await db().deleteFrom("sizeGuides").execute();
  await db().deleteFrom("collections").execute();
  product = await productOf(["tees", "prints"]);
});

async function productOf(kinds: ProductKind[], sizes: Record<string, number> = { S: 2, M: 2 }): Promise<string> {
  const id = await makeProduct(db(), sizes);
  await db().updateTable("products").set({ kinds }).where("id", "=", id).execute();
  return id;
}

async function page(id = product): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${shop().port}/singleProduct/${id}`, { headers: { host: "localhost" } });
  expect(answer.status).toBe(200);
  return await answer.text();
}

/** The tables that a page has for browsers without script. */
const tablesOf = (html: string) => [...html.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map(([, table = ""]) => table);
/** The cells of a table's rows as texts. */
const rowsOf = (table: string) =>
  [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, "")),
  );
const guideTable = (html: string) => tablesOf(html).find((table) => table.includes("<table")) ?? "";

/** The guide in the data for the page's scripts. */
const IN_DATA = /\\?"guide\\?"/;

async function add(other: Partial<SizeGuideWish> = {}): Promise<string> {
  const added = await addSizeGuide(db(), OWNER, sizeGuide({ name: `Guide ${newId()}`, ...other }));
  if (!added.ok) throw new Error(JSON.stringify(added.problems));
  return added.id;
}

test("a product without a guide of the owner's has the shop's own table, and its data names no guide", async () => {
  await add({ products: [await productOf(["tees"])] });
  const html = await page();
  expect(rowsOf(guideTable(html)).slice(0, 2)).toEqual([
    ["Size", "A Chest", "B Length", "C Sleeve"],
    ["S", "50 cm 19.5 in", "70 cm 27.5 in", "20 cm 8.0 in"],
  ]);
  expect(html).not.toMatch(IN_DATA);
});

test("a guide stands on the page in both units without script, with what its measures mean and how the piece falls", async () => {
  await add({ kinds: ["tees"] });
  const html = await page();
  expect(html).toMatch(IN_DATA);
  const table = guideTable(html);
  expect(rowsOf(table)).toEqual([
    ["Size", "Chest", "Sleeve"],
    ["S", "92 cm 36.0 in", "60 cm 23.5 in"],
    ["M", "96.5 cm 38.0 in", "61 cm 24.0 in"],
    ["L", "102 cm 40.0 in", "63 cm 25.0 in"],
  ]);
  expect(table).toContain("Around the fullest part of your chest");
  expect(table).toContain("Fits large: take your usual size or one smaller");
  expect(table).not.toContain("A Chest");
});

test("a kept page is new within a second after each change of its guide, and as before once the guide is gone", async () => {
  const chest = async () => rowsOf(guideTable(await page()))[1]?.[1];
  const own = await chest();
  const id = await add({ kinds: ["tees"] });
  await expect.poll(chest, { timeout: 2000 }).toBe("92 cm 36.0 in");
  const stored = sizeGuide({ name: "Tees", kinds: ["tees"], sizes: [{ size: "S", cm: [80, 60] }] });
  await changeSizeGuide(db(), OWNER, id, stored, 1);
  await expect.poll(chest, { timeout: 2000 }).toBe("80 cm 31.5 in");
  await changeSizeGuide(db(), OWNER, id, { ...stored, kinds: ["jerseys"] }, 2);
  await expect.poll(chest, { timeout: 2000 }).toBe(own);
  await changeSizeGuide(db(), OWNER, id, { ...stored, kinds: [], products: [product] }, 3);
  await expect.poll(chest, { timeout: 2000 }).toBe("80 cm 31.5 in");
  await deleteSizeGuide(db(), OWNER, id);
  await expect.poll(chest, { timeout: 2000 }).toBe(own);
});

test("a piece in one size has a guide of its own, and nothing of one from S to XXL", async () => {
  const cap = await productOf(["accessories"], { ONE: 3 });
  expect(guideTable(await page(cap))).toBe("");
  const id = await add({ kinds: ["accessories"] });
  const measures = [{ name: "Head", meaning: "" }];
  const guide = sizeGuide({ name: "Caps", products: [cap], measures, sizes: [{ size: "ONE", cm: [58] }] });
  await addSizeGuide(db(), OWNER, guide);
  await expect
    .poll(async () => rowsOf(guideTable(await page(cap))))
    .toEqual([
      ["Size", "Head"],
      ["One size", "58 cm 23.0 in"],
    ]);
  await changeSizeGuide(db(), OWNER, "caps", { ...guide, products: [] }, 1);
  await expect.poll(async () => guideTable(await page(cap))).toBe("");
  expect(await sizeGuideOf(db(), cap), `it has ${id}, which says nothing of its size`).toBeDefined();
});

describe("which guide a product has", () => {
  /** Guides are told apart by their line. */
  const shown = async (id = product) => (await sizeGuideOf(db(), id))?.falls;
  const collection = async (...products: string[]) => {
    const id = `owambe-${newId()}`;
    await addCollection(db(), OWNER, { id, name: "Owambe", words: "" });
    await addProducts(db(), OWNER, id, products);
    return id;
  };

  test("its own comes before that of a collection, and this one before that of a kind", async () => {
    expect(await shown()).toBeUndefined();
    await add({ falls: "kind", kinds: ["tees"] });
    expect(await shown()).toBe("kind");
    await add({ falls: "collection", collections: [await collection(product)] });
    expect(await shown()).toBe("collection");
    const own = await add({ falls: "own", products: [product] });
    expect(await shown()).toBe("own");
    await deleteSizeGuide(db(), OWNER, own);
    expect(await shown()).toBe("collection");
  });

  test("of two kinds the first in the order of the shop's links counts, of two collections the owner's first", async () => {
    await add({ falls: "prints", kinds: ["prints"] });
    expect(await shown()).toBe("prints");
    await add({ falls: "tees", kinds: ["tees", "accessories"] });
    expect(await shown()).toBe("tees");
    const [first, second] = [await collection(product), await collection(product)];
    await add({ falls: "second", collections: [second] });
    expect(await shown()).toBe("second");
    await add({ falls: "first", collections: [first] });
    expect(await shown()).toBe("first");
  });

  test("one for nothing is on no page, and goes without a product that is deleted", async () => {
    const id = await add({ falls: "own", products: [product] });
    const other = await productOf(["jerseys"]);
    expect(await shown(other)).toBeUndefined();
    await db().deleteFrom("products").where("id", "=", product).execute();
    expect(await shown()).toBeUndefined();
    expect(await db().selectFrom("sizeGuides").select("id").where("id", "=", id).execute()).toHaveLength(1);
  });
});

describe("a guide that can’t be stored beside the others is refused, and says why by its field", () => {
  test.each<[string, (taken: { collection: string }) => Partial<SizeGuideWish>, Record<string, string>]>([
    ["a name", () => ({ name: "Taken" }), { name: "Another size guide has this name" }],
    ["a kind", () => ({ kinds: ["tees"] }), { kinds: "The kind Tees already has the size guide “Taken”" }],
    [
      "a collection",
      ({ collection }) => ({ collections: [collection] }),
      { collections: "The collection “Owambe” already has the size guide “Taken”" },
    ],
    ["no such collection", () => ({ collections: ["none"] }), { collections: "There’s no collection 'none'" }],
    ["no such product", () => ({ products: ["none"] }), { products: "There’s no product 'none'" }],
  ])("%s", async (_, other, problems) => {
    const collection = `owambe-${newId()}`;
    await addCollection(db(), OWNER, { id: collection, name: "Owambe", words: "" });
    await add({ name: "Taken", kinds: ["tees"], collections: [collection], products: [product] });
    const wish = sizeGuide({ name: "Another", ...other({ collection }) });
    expect(await addSizeGuide(db(), OWNER, wish)).toEqual({ ok: false, problems });
    const id = await add({ name: "Third" });
    expect(await changeSizeGuide(db(), OWNER, id, wish, 1)).toEqual({ ok: false, problems });
    expect(await db().selectFrom("sizeGuides").select("name").orderBy("name").execute()).toEqual([
      { name: "Taken" },
      { name: "Third" },
    ]);
  });

  test("a product", async () => {
    await add({ name: "Taken", products: [product] });
    expect(await addSizeGuide(db(), OWNER, sizeGuide({ products: [product] }))).toEqual({
      ok: false,
      problems: { products: `The product '${product}' already has the size guide “Taken”` },
    });
  });
});

test("of two members who take one kind at once, one is refused", async () => {
  const wishes = ["One", "Two"].map((name) => sizeGuide({ name, kinds: ["jerseys"] }));
  const done = await Promise.all(wishes.map((wish) => addSizeGuide(db(), OWNER, wish)));
  expect(done.map(({ ok }) => ok).sort()).toEqual([false, true]);
});
