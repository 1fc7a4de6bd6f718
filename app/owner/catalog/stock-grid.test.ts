import { beforeAll, expect, test } from "vitest";
import type { ProductKind } from "#db/types.ts";
import { useDatabase } from "#tests/support/database.ts";
import type { Keyset } from "../keyset.server.ts";
import { countStock, stockGrid } from "./stock-grid.server.ts";

const database = useDatabase();
const db = () => database.db();

type Shown = {
  id: string;
  title: string;
  color: string;
  kinds: ProductKind[];
  sizes: Record<string, number>;
  hidden?: boolean;
};

beforeAll(async () => {
  const products: Shown[] = [
    { id: "home", title: "Unity Home Jersey", color: "Palm Green", kinds: ["jerseys"], sizes: { S: 5, M: 2 } },
    { id: "tee", title: "Linked Rings Tee", color: "Off White", kinds: ["tees"], sizes: { M: 0, L: 9 } },
    { id: "cap", title: "adire Cap", color: "Indigo", kinds: ["accessories"], sizes: { ONE: 7 } },
    { id: "old", title: "Old Jersey", color: "Teal", kinds: ["jerseys"], sizes: { M: 0 }, hidden: true },
  ];
  for (const [position, { sizes, ...product }] of products.entries()) {
    await db()
      .insertInto("products")
      .values({ ...product, priceCents: 4999, position, images: "[]" })
      .execute();
    const rows = Object.entries(sizes).map(([size, supplied]) => ({ productId: product.id, size, supplied }));
    await db().insertInto("productSizes").values(rows).execute();
  }
});

const ids = async (search: Partial<Parameters<typeof stockGrid>[1]>, keyset?: Keyset, size?: number) =>
  (await stockGrid(db(), { view: "all", sort: "shop", ...search }, keyset, size)).rows.map(({ id }) => id);

test("lists products in the shop's order or by title, each with its sizes' stock in order", async () => {
  const { rows } = await stockGrid(db(), { view: "all", sort: "shop" });
  expect(rows.map(({ id }) => id)).toEqual(["home", "tee", "cap", "old"]);
  expect(rows[0]?.sizes).toEqual([
    { size: "S", supplied: 5, onHand: 5, held: 0 },
    { size: "M", supplied: 2, onHand: 2, held: 0 },
  ]);
  expect(await ids({ sort: "title" })).toEqual(["cap", "tee", "old", "home"]);
});

test("finds products by words, id, kind, and by sold-out or nearly sold-out sizes", async () => {
  expect(await ids({ text: "home jers" })).toEqual(["home"]);
  expect(await ids({ text: "white" })).toEqual(["tee"]);
  expect(await ids({ text: "cap" })).toEqual(["cap"]);
  expect(await ids({ text: "?" })).toEqual([]);
  expect(await ids({ kind: "jerseys" })).toEqual(["home", "old"]);
  expect(await ids({ view: "out" })).toEqual(["tee"]);
  expect(await ids({ view: "few" })).toEqual(["home"]);
  expect(await countStock(db())).toEqual({ out: 1, few: 1 });
});

test.each(["shop", "title"] as const)("pages in the order of %s lead forward and back", async (sort) => {
  const all = await ids({ sort });
  const first = await stockGrid(db(), { view: "all", sort }, {}, 3);
  const second = await stockGrid(db(), { view: "all", sort }, { before: first.older }, 3);
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(all);
  expect([first.newer, second.older]).toEqual([undefined, undefined]);
  expect(await ids({ sort }, { after: second.newer }, 3)).toEqual(all.slice(0, 3));
  expect(await ids({ sort }, { before: "nowhere" })).toEqual(all);
});
