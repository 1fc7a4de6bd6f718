vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { membersOf } from "#app/offers/offers.server.ts";
import {
  addCollection,
  addProducts,
  changeCollection,
  deleteCollection,
  moveProduct,
  removeProduct,
} from "#app/owner/collections/collections.server.ts";
import type { CollectionRule } from "#db/types.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { newId } from "#tests/support/ids.ts";
import { makeProduct, setStock } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);
const SHOWN = { name: "Ọ̀wàǹbẹ̀", words: "For every party.", rule: null, hidden: false, place: 1 };

let id: string;
let products: string[];

beforeEach(async () => {
  await db().deleteFrom("collections").execute();
  await db().updateTable("products").set({ hidden: true }).execute(); // those of other tests
  id = `owambe-${newId()}`;
  products = await Promise.all([1, 2, 3].map(() => makeProduct(db(), { M: 2 })));
  await addCollection(db(), OWNER, { id, name: "Owambe", words: "" });
  await addProducts(db(), OWNER, id, products);
  await changeCollection(db(), OWNER, id, SHOWN, 1);
});

async function ask(path: string) {
  const answer = await fetch(`http://127.0.0.1:${shop().port}${path}`, {
    headers: { host: "localhost" },
    redirect: "manual",
  });
  return { status: answer.status, location: answer.headers.get("location"), html: await answer.text() };
}
/** The ids of the products on a page, in their order. */
const shownOn = (html: string) => [...html.matchAll(/href="\/singleProduct\/([\w-]+)"/g)].map(([, one]) => one);
/** Resolves when the page has this list: kept pages are made anew within a second. */
const eventually = (path: string, list: (string | undefined)[]) =>
  expect.poll(async () => shownOn((await ask(path)).html)).toEqual(list);

test("a collection has a page with its name, its words and its products in the owner's order", async () => {
  const [first, second, third] = products;
  const { status, html } = await ask(`/collections/${id}`);
  expect(status).toBe(200);
  expect(html).toContain("<title>Ọ̀wàǹbẹ̀ | Irepo</title>");
  expect(html).toContain('<meta name="description" content="For every party."/>');
  expect(html).toContain(`<link rel="canonical" href="http://localhost:3000/collections/${id}"/>`);
  expect(html).toMatch(/<h1[^>]*>Ọ̀wàǹbẹ̀<\/h1>/);
  expect(shownOn(html)).toEqual([first, second, third]);
  await moveProduct(db(), OWNER, id, third ?? "", first ?? "");
  await eventually(`/collections/${id}`, [third, first, second]);
  await removeProduct(db(), OWNER, id, first ?? "");
  await eventually(`/collections/${id}`, [third, second]);
});

test("a picture stands beside the name on the list's beginning, and a collection without one sends nothing for it", async () => {
  const before = (await ask(`/collections/${id}`)).html;
  expect(before).not.toMatch(/\\"picture\\"/);
  const picture = { hash: "0".repeat(20), width: 300, height: 200, alt: "Jerseys on a rail", background: "#ffffff" };
  await changeCollection(db(), OWNER, id, { ...SHOWN, picture }, 2);
  const html = () => ask(`/collections/${id}`).then((answer) => answer.html);
  await expect.poll(html).toContain('alt="Jerseys on a rail"');
  const shown = await html();
  expect(shown.match(/<h1/g)).toHaveLength(1);
  expect(shown.match(/<main/g)).toHaveLength(1);
  expect(shown).toMatch(/<link rel="preload" as="image"[^>]*00000000000000000000/);
  expect(shownOn(shown)).toEqual(products);
});

test("a product that sells out comes last, and a hidden one keeps its place until it is shown again", async () => {
  const [first = "", second = "", third] = products;
  await setStock(db(), first, "M", 0);
  await eventually(`/collections/${id}`, [second, third, first]);
  await db().updateTable("products").set({ hidden: true }).where("id", "=", second).execute();
  await eventually(`/collections/${id}`, [third, first]);
  await db().updateTable("products").set({ hidden: false }).where("id", "=", second).execute();
  await eventually(`/collections/${id}`, [second, third, first]);
});

test("the shop's filters and orders work within a collection", async () => {
  const [first = "", second = "", third = ""] = products;
  await makeProduct(db(), { M: 1 });
  const priced = (product: string, priceCents: number, color: string) =>
    db().updateTable("products").set({ priceCents, color }).where("id", "=", product).execute();
  await Promise.all([priced(first, 3000, "Red"), priced(second, 1000, "Navy"), priced(third, 2000, "Red")]);
  await eventually(`/collections/${id}?sort=price-up`, [second, third, first]);
  await eventually(`/collections/${id}?color=red`, [first, third]);
  await eventually(`/collections/${id}?max=15`, [second]);
  const { html } = await ask(`/collections/${id}?color=red`);
  expect(html).toContain(`action="/collections/${id}"`);
  expect(html).toMatch(/<option value="" selected="">Featured<\/option>/);
});

describe("a rule", () => {
  const ruled = (rule: CollectionRule, version = 2) => changeCollection(db(), OWNER, id, { ...SHOWN, rule }, version);
  const set = async (values: { priceCents?: number; color?: string; kinds?: string[]; createdAt?: Date }) => {
    const product = await makeProduct(db(), { M: 1 });
    const { kinds, ...rest } = values;
    await db()
      .updateTable("products")
      .set({ position: 2000, ...rest, ...(kinds && { kinds: sql`${kinds}::text[]` }) })
      .where("id", "=", product)
      .execute();
    return product;
  };

  test.each<[CollectionRule, Parameters<typeof set>[0], Parameters<typeof set>[0]]>([
    [{ kind: "tees" }, { kinds: ["tees", "prints"] }, { kinds: ["jerseys"] }],
    [{ colors: ["green", "red"] }, { color: "Palm Green" }, { color: "Navy" }],
    [{ minCents: 2000, maxCents: 3000 }, { priceCents: 3000 }, { priceCents: 3001 }],
    [
      { kind: "tees", maxCents: 3000 },
      { kinds: ["tees"], priceCents: 2999 },
      { kinds: ["tees"], priceCents: 5000 },
    ],
    [{ newDays: 30 }, {}, { createdAt: new Date("2026-01-01") }],
  ])("%j adds what it applies to, after the products that were put in", async (rule, fitting, other) => {
    await db()
      .updateTable("products")
      .set({ createdAt: new Date("2020-01-01"), color: "Black" })
      .execute();
    const fits = await set({ color: "Black", ...fitting });
    const differs = await set({ color: "Black", ...other });
    await ruled(rule);
    await eventually(`/collections/${id}`, [...products, fits]);
    const members = await membersOf(db(), [id], [...products, fits, differs]);
    expect([...members.keys()].sort(), "for offers").toEqual([...products, fits].sort());
  });

  test("applies to a product from the next page on that is made after its change", async () => {
    await ruled({ maxCents: 3000 });
    const product = await set({ priceCents: 3500 });
    await eventually(`/collections/${id}`, products);
    await db().updateTable("products").set({ priceCents: 2500 }).where("id", "=", product).execute();
    await eventually(`/collections/${id}`, [...products, product]);
    const [first = ""] = products;
    await db().updateTable("products").set({ priceCents: 2500 }).where("id", "=", first).execute();
    await eventually(`/collections/${id}`, [...products, product]); // each is there once
  });

  test("makes the shop link to a collection into which nothing was put", async () => {
    for (const product of products) await removeProduct(db(), OWNER, id, product);
    await ruled({ kind: "tees" });
    await expect.poll(async () => (await ask("/shop")).html).toContain(`href="/collections/${id}"`);
    await expect.poll(async () => (await ask(`/collections/${id}`)).html).toContain("Nothing here yet.");
  });
});

test("more than a page of products is loaded further down, and Back shows the same ones", async () => {
  const more = await Promise.all(Array.from({ length: 20 }, () => makeProduct(db(), { M: 1 })));
  await addProducts(db(), OWNER, id, more);
  const all = [...products, ...more];
  await eventually(`/collections/${id}`, all.slice(0, 12));
  expect((await ask(`/collections/${id}`)).html).toContain(`href="/collections/${id}?page=2"`);
  await eventually(`/collections/${id}?page=2`, all);
});

test("the shop links to the collections that it shows, and sitemap and llms.txt list them", async () => {
  const link = `href="/collections/${id}"`;
  expect((await ask("/shop")).html).toContain(link);
  expect((await ask("/sitemap.xml")).html).toContain(`<loc>http://localhost:3000/collections/${id}</loc>`);
  expect((await ask("/llms.txt")).html).toContain(
    `- [Ọ̀wàǹbẹ̀](http://localhost:3000/collections/${id}): a collection\n`,
  );
  expect((await ask(`/collections/${id}`)).html).toMatch(new RegExp(`aria-current="true"[^>]*${link}`));
  for (const product of products) await removeProduct(db(), OWNER, id, product);
  await expect.poll(async () => (await ask("/shop")).html).not.toContain(link);
  await expect.poll(async () => (await ask(`/collections/${id}`)).html).toContain("Nothing here yet.");
});

test("a search for a collection's name leads to it, however it is typed", async () => {
  const named = (search: string) => ask(`/shop?${new URLSearchParams({ q: search })}`);
  for (const search of ["owanbe", "ỌWÀŃBẸ̀", "owan"])
    expect((await named(search)).html).toContain("See the collection Ọ̀wàǹbẹ̀");
  expect((await named("jersey")).html).not.toContain("See the collection");
  await changeCollection(db(), OWNER, id, { ...SHOWN, hidden: true }, 2);
  await expect.poll(async () => (await named("owanbe")).html).not.toContain("See the collection");
});

test("a hidden or deleted collection is nowhere, and its address says so", async () => {
  await changeCollection(db(), OWNER, id, { ...SHOWN, hidden: true }, 2);
  await expect.poll(async () => (await ask(`/collections/${id}`)).status).toBe(404);
  const { html } = await ask(`/collections/${id}`);
  expect(html).toContain("Collection not found");
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  await expect.poll(async () => (await ask("/shop")).html).not.toContain(`/collections/${id}`);
  await expect.poll(async () => (await ask("/sitemap.xml")).html).not.toContain(`/collections/${id}`);
  await changeCollection(db(), OWNER, id, SHOWN, 3);
  await expect.poll(async () => (await ask(`/collections/${id}`)).status).toBe(200);
  await deleteCollection(db(), OWNER, id);
  await expect.poll(async () => (await ask(`/collections/${id}`)).status).toBe(404);
  await expect.poll(async () => shownOn((await ask("/shop")).html).sort()).toEqual(products.toSorted());
});

test("a collection is shown from its first moment until its last, without anybody pressing anything", async () => {
  const page = () => ask(`/collections/${id}`);
  const link = `href="/collections/${id}"`;
  const later = new Date(Date.now() + 60_000);
  await changeCollection(db(), OWNER, id, { ...SHOWN, startsAt: later }, 2);
  await expect.poll(async () => (await page()).status).toBe(404);
  await expect.poll(async () => (await ask("/shop")).html).not.toContain(link);
  await expect.poll(async () => (await ask("/sitemap.xml")).html).not.toContain(`/collections/${id}<`);
  await expect.poll(async () => (await ask("/shop?q=owanbe")).html).not.toContain("See the collection");

  const from = new Date(Date.now() + 1500);
  await changeCollection(db(), OWNER, id, { ...SHOWN, startsAt: from }, 3);
  await expect.poll(async () => (await page()).status).toBe(200);
  expect(Date.now()).toBeGreaterThanOrEqual(from.getTime());
  await expect.poll(async () => (await ask("/shop")).html).toContain(link);

  const until = new Date(Date.now() + 1500);
  await changeCollection(db(), OWNER, id, { ...SHOWN, startsAt: from, endsAt: until }, 4);
  await expect.poll(async () => (await page()).status).toBe(404);
  expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
  await expect.poll(async () => (await ask("/shop")).html).not.toContain(link);
});

test("an address in capitals leads to the collection, with its filters", async () => {
  const { status, location } = await ask(`/collections/${id.toUpperCase()}?size=M`);
  expect([status, location]).toEqual([301, `/collections/${id}?size=M`]);
});

test("products that two members add at once all get a place of their own", async () => {
  const more = await Promise.all(Array.from({ length: 6 }, () => makeProduct(db(), { M: 1 })));
  await Promise.all(more.map((product) => addProducts(db(), OWNER, id, [product])));
  const rows = await db()
    .selectFrom("collectionProducts")
    .select("position")
    .where("collectionId", "=", id)
    .orderBy("position")
    .execute();
  expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
