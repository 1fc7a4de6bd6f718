vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { nameModels } from "#app/catalog/models/models.server.ts";
import { workOn } from "#app/infra/database/queue.server.ts";
import { addCollection, addProducts, changeCollection } from "#app/owner/collections/collections.server.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import type { CardFor, ProductKind } from "#db/types.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { newId } from "#tests/support/ids.ts";
import { makeProduct, setStock } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);

type Wish = { color: string; cents?: number; sizes?: Record<string, number>; hidden?: boolean; kind?: ProductKind };

let position = 0;
/** Products with one title, in this order in the shop. Returns their ids. */
async function products(title: string, ...wishes: Wish[]): Promise<string[]> {
  const ids = [];
  for (const { color, cents, sizes = { M: 1 }, hidden = false, kind } of wishes) {
    const id = await makeProduct(db(), sizes, cents);
    const kinds = sql<ProductKind[]>`${kind ? [kind] : []}::text[]`;
    const values = { title, color, hidden, kinds, position: ++position };
    await db().updateTable("products").set(values).where("id", "=", id).execute();
    ids.push(id);
  }
  return ids;
}
const inColors = (title: string, ...colors: string[]) => products(title, ...colors.map((color) => ({ color })));

const choose = async (cardFor: CardFor) => changeShop(db(), OWNER, { cardFor }, await shopValues(db()));

async function ask(path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${shop().port}${path}`, { headers: { host: "localhost" } });
  expect(answer.status, path).toBe(200);
  return (await answer.text()).replaceAll("<!-- -->", "");
}
const bodyOf = (html: string) => html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
/** The ids of the products that have a card, in their order. */
const cardsOn = (html: string) =>
  [...html.matchAll(/<a class="group [^"]*" href="\/singleProduct\/([\w-]+)"/g)].map(([, id]) => id);
/** The swatches: their words, and the ids of the products to which they lead. */
const swatchesOn = (html: string) =>
  [...html.matchAll(/<a title="[^"]*"[^>]* href="\/singleProduct\/([\w-]+)".*?"sr-only">([^<]*)</g)].map(
    ([, id, words]) => [words, id],
  );
/** Resolves to the page once it has these cards: kept pages are made anew within a second. */
async function eventually(path: string, cards: (string | undefined)[]): Promise<string> {
  await expect.poll(async () => cardsOn(await ask(path))).toEqual(cards);
  return ask(path);
}

beforeEach(async () => {
  await db().deleteFrom("shopSettings").execute();
  await db().deleteFrom("collections").execute();
  await db().updateTable("products").set({ hidden: true }).execute(); // those of other tests
});

test("lists have a card for each colour, then one for each model with links to its colours, and again each colour", async () => {
  const [cream, blue] = await inColors("Ọ̀wàǹbẹ̀ Tee", "Cream", "Blue");
  const [green] = await inColors("OWANBE TEE", "Palm Green");
  const [scarf] = await inColors("Owanbe Scarf", "Red");
  const before = await eventually("/shop", [cream, blue, green, scarf]);
  expect(before).toContain("4 products");
  expect(swatchesOn(before)).toEqual([]);

  await choose("model");
  const html = await eventually("/shop", [cream, scarf]);
  expect(html).toContain("2 products");
  expect(swatchesOn(html)).toEqual([
    ["Ọ̀wàǹbẹ̀ Tee, Cream", cream],
    ["Ọ̀wàǹbẹ̀ Tee, Blue", blue],
    ["Ọ̀wàǹbẹ̀ Tee, Palm Green", green],
  ]);
  expect([...html.matchAll(/<a title="([^"]*)" aria-current="true"/g)].map(([, color]) => color)).toEqual(["Cream"]);

  await choose("color");
  const after = await eventually("/shop", [cream, blue, green, scarf]);
  expect(bodyOf(after)).toBe(bodyOf(before));
});

test("a model's card is its first colour that fits filters and order, and hidden colours are nowhere", async () => {
  const [cream, navy, red] = await products(
    "Adire Tee",
    { color: "Cream", cents: 5000 },
    { color: "Navy", cents: 3000, sizes: { L: 1 } },
    { color: "Red", cents: 1000, hidden: true },
  );
  await choose("model");
  const html = await eventually("/shop", [cream]);
  expect(swatchesOn(html).map(([, id]) => id)).toEqual([cream, navy]);
  for (const [query, card] of [
    ["color=blue", navy],
    ["size=L", navy],
    ["max=40", navy],
    ["min=40", cream],
    ["sort=price-up", navy],
    ["sort=price-down", cream],
    ["q=tee&sort=price-up", navy],
  ]) {
    const filtered = await eventually(`/shop?${query}`, [card]);
    expect(filtered, query).toContain("1 product<");
    expect(swatchesOn(filtered), query).toHaveLength(2);
  }
  await db()
    .updateTable("products")
    .set({ hidden: false })
    .where("id", "=", red ?? "")
    .execute();
  await eventually("/shop?sort=price-up", [red]);
});

test("a model is sold out once all of its colours are, and a colour in stock comes before", async () => {
  const [cream = "", blue = ""] = await inColors("Ankara Tee", "Cream", "Blue");
  const [scarf] = await inColors("Ankara Scarf", "Red");
  await choose("model");
  await setStock(db(), cream, "M", 0);
  const html = await eventually("/shop", [blue, scarf]);
  expect(html).not.toContain(">Sold out<");
  expect(swatchesOn(html).map(([words]) => words)).toEqual(["Ankara Tee, Cream, sold out", "Ankara Tee, Blue"]);
  await setStock(db(), blue, "M", 0);
  expect(await eventually("/shop", [scarf, cream])).toContain(">Sold out<");
});

test("a search shows the colour that fits its words best, and counts models, as its suggestions do", async () => {
  const [, green] = await inColors("Green Wax Tee", "Black", "Green");
  const [tote] = await inColors("Wax Tote", "Black", "Brown");
  await choose("model");
  expect(await eventually("/shop?q=green", [green])).toContain("1 product<");
  expect(await eventually("/shop?q=wax", [expect.any(String), expect.any(String)])).toContain("2 products");
  const suggested = JSON.parse(await ask("/api/suggestions?q=wax+tote"));
  expect(suggested).toEqual([{ id: tote, title: "Wax Tote", color: "Black" }]);
});

test("pages count and load models", async () => {
  const firsts = [];
  for (let at = 0; at < 20; at++) firsts.push((await inColors(`Tee ${at}`, "Cream", "Blue"))[0]);
  await choose("model");
  expect(await eventually("/shop", firsts.slice(0, 12))).toContain("12 of 20");
  expect(await eventually("/shop?page=2", firsts)).toContain("20 of 20");
});

test("the links of kinds count models", async () => {
  await products("Kano Tee", { color: "Cream", kind: "tees" }, { color: "Blue", kind: "tees" });
  const [cap] = await products("Kano Cap", { color: "Cream", kind: "accessories" });
  await choose("model");
  const html = await eventually("/shop", [expect.any(String), cap]);
  const chips = [...html.matchAll(/>(\w+) <span class="price[^>]*>([\d,+]+)<\/span><\/a>/g)];
  expect(chips.map(([, kind, count]) => [kind, count])).toEqual([
    ["Tees", "1"],
    ["Accessories", "1"],
  ]);
});

test("in a collection the owner's order decides which colour has the card, and its swatches lead out of it", async () => {
  const [cream = "", blue = "", red = ""] = await inColors("Owambe Tee", "Cream", "Blue", "Red");
  const [scarf = ""] = await inColors("Owambe Scarf", "Red");
  const id = `owambe-${newId()}`;
  await addCollection(db(), OWNER, { id, name: "Owambe", words: "" });
  await addProducts(db(), OWNER, id, [scarf, red, blue]);
  await changeCollection(db(), OWNER, id, { name: "Owambe", words: "", rule: null, hidden: false, place: 1 }, 1);
  await choose("model");
  const html = await eventually(`/collections/${id}`, [scarf, red]);
  expect(html).toContain("2 products");
  expect(swatchesOn(html).map(([, product]) => product)).toEqual([cream, blue, red]);
});

describe("a model by itself", () => {
  test("is each product without a colour, and each whose title has no letters", async () => {
    const bags = await inColors("Plain Bag", "", "");
    const signs = [...(await inColors("★", "Gold")), ...(await inColors("♥", "Red"))];
    await choose("model");
    expect(swatchesOn(await eventually("/shop", [...bags, ...signs]))).toEqual([]);
  });

  test("is no product from before models were stored: the choice counts once a job has written them all", async () => {
    const old = await inColors("Old Tee", "Cream", "Blue");
    await db().updateTable("products").set({ model: null }).execute();
    await choose("model");
    const later = await inColors("New Tee", "Cream", "Blue");
    expect(await eventually("/shop", [...old, ...later])).toContain("4 products");
    await workOn("name-models", (_, stopping) => nameModels(db(), stopping));
    await eventually("/shop", [old[0], later[0]]);
  });
});

/** The statements about products, with their values, that the page of all products sends when it is not kept. */
async function statementsOfShop(query = ""): Promise<{ text: string; values: unknown[] }[]> {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await ask(`/shop?_routes${query}`);
  const calls = [...sent.mock.calls] as unknown[][];
  sent.mockRestore();
  return calls
    .map(([query, values = []]) => (typeof query === "string" ? { text: query, values } : query))
    .map((query) => ({ text: "", values: [], ...(query as object) }))
    .filter(({ text }) => /from "?products\b/.test(text));
}

test("a list by models takes as many statements as one by colours, which doesn't ask for models", async () => {
  const [cream, blue] = await inColors("Owambe Tee", "Cream", "Blue");
  await eventually("/shop", [cream, blue]); // what a process reads once after a change is read now
  const byColor = await statementsOfShop();
  expect(byColor.filter(({ text }) => text.includes("model"))).toEqual([]);
  await choose("model");
  await eventually("/shop", [cream]);
  expect(await statementsOfShop()).toHaveLength(byColor.length);
});

describe("a long list by models", () => {
  beforeEach(async () => {
    for (let from = 0; from < 4000; from += 500)
      await sql`insert into products (id, title, color, price_cents, position)
        select 'long-' || n, 'Long Tee ' || n / 2, (array['Cream', 'Blue'])[1 + n % 2], 4999, 1000 + n
        from generate_series(${from + 1}::int, ${from + 500}::int) n
        on conflict (id) do update set hidden = false`.execute(db());
    await sql`analyze products`.execute(db());
    await choose("model");
  });

  test.each([
    ["", "products_listed"],
    ["&sort=price-up", "products_listed_by_price"],
    ["&sort=price-down", "products_listed_by_price_down"],
  ])("the first page of %j reads the beginning of the list alone", async (query, index) => {
    const list = (await statementsOfShop(query)).find(({ text }) => text.includes("own.model"));
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    const { rows } = await client.query(`explain (format json) ${list?.text}`, list?.values);
    await client.end();
    const { Plan: limit } = rows[0]["QUERY PLAN"][0];
    const read = limit.Plans.find((one: Record<string, string>) => one["Parent Relationship"] === "Outer");
    expect([limit["Node Type"], read["Index Name"]]).toEqual(["Limit", index]);
    expect(JSON.stringify(read)).toContain("products_of_model");
  });

  test("a page further down goes on where the one before ends", async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `long-${2 * (60 + at)}`);
    expect(swatchesOn(await eventually("/shop?page=6", ids))).toHaveLength(24);
  });
});
