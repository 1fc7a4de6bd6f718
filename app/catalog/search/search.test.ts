import { rm } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readFilters } from "#app/catalog/filter/filters.ts";
import { env } from "#app/infra/env.server.ts";
import { get as suggestions } from "#app/routes/api.suggestions.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { countKinds } from "../catalog.server.ts";
import { seedDemo } from "../demo.server.ts";
import { findCards } from "./search.server.ts";

const database = useDatabase();
const db = () => database.db();
const find = (query: string, most = 50) => findCards(db(), readFilters(new URLSearchParams(query)), { after: 0, most });
const ids = (cards: { id: string }[]) => cards.map(({ id }) => id);
const search = async (words: string) => ids((await find(`q=${encodeURIComponent(words)}`)).found);

beforeAll(() => seedDemo(db()));
afterAll(() => rm(path.join(env.dataDir, "pictures"), { recursive: true, force: true }));

describe("a search for", () => {
  test("a shirt finds jerseys and tees, and neither scarf nor bag", async () => {
    const found = await search("shirt");
    expect(found).toEqual(expect.arrayContaining(["unity-home-jersey", "rings-tee", "ankara-jersey"]));
    expect(found.filter((id) => /scarf|tote/.test(id))).toEqual([]);
    expect(await search("shirts")).toEqual(found);
  });

  test("t-shirts in every spelling finds the tees, and no jersey", async () => {
    const found = await search("tee");
    expect(found).toContain("rings-tee");
    expect(found.filter((id) => id.endsWith("jersey"))).toEqual([]);
    for (const spelling of ["t-shirt", "T-Shirts", "t shirt", "tshirt", "tees"])
      expect(await search(spelling), spelling).toEqual(found);
  });

  test("a colour and a kind finds products with both, those with these very words first", async () => {
    const found = await search("green shirt");
    expect(found[0]).toBe("unity-home-jersey");
    expect(found).not.toContain("unity-away-jersey");
    expect(await search("blue jersey")).toEqual(["adire-indigo-jersey", "eko-chevron-jersey"]);
  });

  test("the beginning of a word finds it, before its last letter is typed", async () => {
    expect(await search("harm")).toEqual(["harmattan-zigzag-jersey"]);
  });

  test.each([
    ["ankra", "ankara", /^ankara/],
    ["indgo", "indigo", /^adire-indigo/],
    ["linkd rings", "linked rings", /^rings/],
    ["zig zag", "zigzag", /^harmattan-zigzag/],
    ["harmatan jersys", "harmattan jersey", /^harmattan/],
  ])("%s is corrected, and the result says so", async (words, instead, id) => {
    const { found, ...rest } = await find(`q=${words}`);
    expect(rest).toMatchObject({ instead, near: [] });
    expect(found[0]?.id).toMatch(id);
  });

  test.each(["the", "%", "' | !:*", "&", "x".repeat(99)])(
    "nonsense (%s) finds nothing, without an error",
    async (words) => {
      expect(await search(words)).toEqual([]);
    },
  );

  test("a product that was renamed finds it under its new name, and no longer under the old one", async () => {
    const id = await makeProduct(db(), { M: 1 });
    await db().updateTable("products").set({ title: "Quetzal Bomber" }).where("id", "=", id).execute();
    expect(await search("quetzl")).toEqual([id]);
    await db().updateTable("products").set({ title: "Another" }).where("id", "=", id).execute();
    expect(await find("q=quetzl")).toMatchObject({ found: [], suggestion: undefined });
    await db().deleteFrom("products").where("id", "=", id).execute();
  });
});

describe("a search without results", () => {
  test("offers another spelling, and shows its results first", async () => {
    const { total, suggestion, near } = await find("q=ankra hoodie");
    expect([total, suggestion, near.length]).toEqual([0, "ankara", 4]);
    expect(near[0]?.id).toMatch(/^ankara/);
  });

  test("with unknown words shows the shop's first products", async () => {
    const { suggestion, near } = await find("q=qqqqqqqq");
    expect([suggestion, near.length]).toEqual([undefined, 4]);
  });

  test("because of the filters shows the results without filters", async () => {
    const { total, near } = await find("q=harmattan&max=2");
    expect([total, near[0]?.id]).toEqual([0, "harmattan-zigzag-jersey"]);
    expect((await find("max=2")).near.length).toBe(4);
  });
});

test("13 no suggestion has a word of a hidden product", async () => {
  const hidden = { id: "secret-drop", title: "Adire Kimono", color: "Moss", priceCents: 4999, images: "[]" };
  await db()
    .insertInto("products")
    .values({ ...hidden, hidden: true })
    .execute();
  const hint = async (search: string) => (await find(`q=${search}`)).suggestion;
  expect([await hint("kimno ankra hoodie"), await hint("kimno hoodie")]).toEqual(["ankara", undefined]);
  await db().updateTable("products").set({ hidden: false }).where("id", "=", hidden.id).execute();
  expect(await hint("kimno hoodie")).toBe("kimono");
  await db().deleteFrom("products").where("id", "=", hidden.id).execute();
});

test("suggestions correct misspellings, too", async () => {
  const { json } = await suggestions(new Request("http://shop.example/api/suggestions?q=ankra%20jersy"));
  expect(json).toEqual([{ id: "ankara-jersey", title: "Ankara Jersey", color: "Teal" }]);
});

test("kinds are counted as they are listed, and those without products are not shown", async () => {
  const counts = await countKinds(db());
  expect(counts.map(({ id }) => id)).toEqual(["jerseys", "tees", "prints", "accessories"]);
  const filters = readFilters(new URLSearchParams());
  for (const { id, count } of counts) {
    const ofKind = { id, kind: id, rule: null };
    expect((await findCards(db(), filters, { after: 0, most: 50 }, ofKind)).total, id).toBe(count);
  }
  await db().updateTable("products").set({ hidden: true }).where(sql<boolean>`kinds @> '{accessories}'`).execute();
  expect((await countKinds(db())).map(({ id }) => id)).toEqual(["jerseys", "tees", "prints"]);
});
