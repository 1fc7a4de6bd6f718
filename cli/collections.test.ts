import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { whitePicture } from "#tests/support/picture.ts";
import { makeProduct } from "#tests/support/shop.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...words: string[]) => command(db(), ["collections", ...words]);
const file = path.join(mkdtempSync(path.join(tmpdir(), "irepo-collections-")), "collections.json");
const set = (content: unknown) => {
  writeFileSync(file, JSON.stringify(content));
  return say("set", file);
};
const shown = async (...words: string[]) => (await say("show", ...words)).data;

afterEach(async () => {
  await db().deleteFrom("collections").execute();
});

test("what 'collections show' prints is read by 'collections set': changed, it changes the collection", async () => {
  const [tee = "", cap = ""] = [await makeProduct(db(), { M: 3 }), await makeProduct(db(), { M: 3 })];
  const party = { id: "owambe", name: "Owambe", products: [tee] };
  expect(await set(party)).toMatchObject({ code: 0, text: "Set: owambe" });
  const stored = { ...party, words: "", rule: null, hidden: true, place: 1 };
  expect(await shown("owambe")).toEqual([stored]);
  const rule = { kind: "tees", minCents: 2000, onSale: true };
  const changed = { ...stored, words: "For every party.", rule, hidden: false, products: [cap, tee] };
  expect(await set([changed])).toMatchObject({ code: 0 });
  expect(await shown()).toEqual([changed]);
  expect((await say("list")).text).toBe("owambe  Owambe  shown  2 products  and a rule");
});

test("dates are minutes in the shop's time zone, and are removed by leaving them out", async () => {
  const party = { id: "owambe", name: "Owambe", words: "", rule: null, hidden: false, place: 1, products: [] };
  const dates = { from: "2126-12-01T09:00", until: "2126-12-31T23:59" };
  await set({ ...party, ...dates });
  expect(await shown("owambe")).toEqual([{ ...party, ...dates }]);
  expect((await say("list")).text).toBe("owambe  Owambe  from 2126-12-01 09:00  0 products");
  await set(party);
  expect(await shown("owambe")).toEqual([party]);
  expect((await say("list")).text).toBe("owambe  Owambe  shown  0 products");
});

test("a picture of the store is set by its hash, and removed by leaving it out", async () => {
  const { hash, ...measures } = await whitePicture();
  const party = { id: "owambe", name: "Owambe", words: "", rule: null, hidden: false, place: 1, products: [] };
  const picture = { hash, alt: "A jersey", focus: "30% 70%" };
  await set({ ...party, picture });
  const stored = { ...party, picture: { ...picture, ...measures } };
  expect(await shown("owambe")).toEqual([stored]);
  expect(await set(await shown())).toMatchObject({ code: 0 });
  expect(await shown()).toEqual([stored]);
  const none = { ...picture, hash: "0".repeat(20) };
  expect(await set({ ...party, picture: none })).toMatchObject({
    code: 2,
    text: expect.stringContaining("is missing"),
  });
  expect(await shown()).toEqual([stored]);
  await set(party);
  expect(await shown("owambe")).toEqual([party]);
});

test("a collection that moves leaves the others in order, and a new one comes last", async () => {
  await set(["one", "two", "three"].map((id) => ({ id, name: id })));
  await set({ id: "three", name: "three", place: 1 });
  await set({ id: "four", name: "four" });
  const all = (await shown()) as { id: string; place: number }[];
  expect(all.map(({ id, place }) => [id, place])).toEqual([
    ["three", 1],
    ["one", 2],
    ["two", 3],
    ["four", 4],
  ]);
});

test("'collections set' of unchanged values adds no row to the audit log, and a change logs only the changed fields", async () => {
  const rows = () => db().selectFrom("auditLog").select(["before", "after"]).where("action", "=", "collections set");
  const known = (await rows().execute()).length;
  const party = { id: "owambe", name: "Owambe", words: "For every party." };
  for (const one of [party, party, { ...party, name: "Party" }]) await set(one);
  const after = { name: "Owambe", words: "For every party.", rule: "", hidden: true, place: 1, products: [] };
  expect((await rows().orderBy("id").execute()).slice(known)).toEqual([
    { before: null, after },
    { before: { name: "Owambe" }, after: { name: "Party" } },
  ]);
});

test.each<[string, unknown, string]>([
  ["an address with capitals", { id: "Owambe", name: "Owambe" }, "collection 1, id: Letters from a to z"],
  ["no name", [{ id: "one", name: "One" }, { id: "two" }], "collection 2, name: "],
  ["a product that isn't there", { id: "one", name: "One", products: ["nothing"] }, "There’s no product 'nothing'"],
  ["an empty rule", { id: "one", name: "One", rule: {} }, "collection 1, rule: A rule without a condition"],
  ["a rule from more than to", { id: "one", name: "One", rule: { minCents: 2, maxCents: 1 } }, "minCents is more"],
  ["a day without a time", { id: "one", name: "One", from: "2026-12-01" }, "collection 1, from: A minute like"],
  [
    "an end before the start",
    { id: "one", name: "One", from: "2026-12-01T09:00", until: "2026-12-01T08:00" },
    "over before",
  ],
  ["a picture of which nobody is told", { id: "one", name: "One", picture: { hash: "0".repeat(20) } }, "Describe"],
  ["a field that no collection has", { id: "one", name: "One", price: 3 }, "collection 1: "],
])("%s is bad input, and nothing is changed", async (_, content, text) => {
  expect(await set(content)).toMatchObject({ code: 2, text: expect.stringContaining(text) });
  expect(await shown()).toEqual([]);
});

test("a file with several collections is applied as a whole or not at all", async () => {
  await set([
    { id: "one", name: "One" },
    { id: "two", name: "Two", products: ["nothing"] },
  ]);
  expect(await shown()).toEqual([]);
});

test("'collections remove' asks for confirmation, and leaves the products", async () => {
  const product = await makeProduct(db(), { M: 3 });
  await set({ id: "owambe", name: "Owambe", products: [product] });
  expect(await say("remove", "owambe")).toMatchObject({ code: 2, text: expect.stringContaining("Remove “Owambe”") });
  expect(await say("remove", "owambe", "--yes")).toMatchObject({ code: 0, data: { removed: "owambe" } });
  expect(await shown()).toEqual([]);
  expect(await db().selectFrom("products").select("id").where("id", "=", product).execute()).toHaveLength(1);
  expect(await say("remove", "owambe", "--yes")).toMatchObject({ code: 2 });
  expect(await say("show", "owambe")).toMatchObject({ code: 2, text: "There’s no collection 'owambe'" });
});
