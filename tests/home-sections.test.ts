vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { addCollection, addProducts, changeCollection } from "#app/owner/collections/collections.server.ts";
import { changeSections, resetSections } from "#app/owner/shop/sections.server.ts";
import { sections } from "#app/owner/shop/sections.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { newId } from "#tests/support/ids.ts";
import { whitePicture } from "#tests/support/picture.ts";
import { makeProduct } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);
env.pictures = { folder: mkdtempSync(path.join(tmpdir(), "irepo-pictures-")) };

const SHIPPED = ["New arrivals", "It starts with the cloth", "Better together", "Eight shirts, one side"];
const OWAMBE = { name: "Owambe", words: "", rule: null, hidden: false, place: 1 };

let collection: string;
let products: string[];
let first: string;
let hash: string;

beforeAll(async () => {
  ({ hash } = await whitePicture());
});
beforeEach(async () => {
  await resetSections(db(), OWNER);
  await db().updateTable("products").set({ hidden: true }).execute(); // those of other tests
  await db().deleteFrom("collections").execute();
  products = await Promise.all([1, 2, 3].map(() => makeProduct(db(), { M: 2 })));
  collection = `owambe-${newId()}`;
  await addCollection(db(), OWNER, { id: collection, name: "Owambe", words: "" });
  await addProducts(db(), OWNER, collection, products.slice(2));
  await changeCollection(db(), OWNER, collection, OWAMBE, 1);
  await expect.poll(async () => shownOn(await home()).toSorted()).toEqual(products.toSorted());
  first = await home();
});

async function home(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${shop().port}/`, { headers: { host: "localhost" } });
  expect(answer.status).toBe(200);
  return await answer.text();
}
const bodyOf = (html: string) => html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
const CARD = /href="\/singleProduct\/(product-[\w-]+)"/g;
/** The ids of the products on the page, in their order. */
const shownOn = (html: string) => [...bodyOf(html).matchAll(CARD)].map(([, id]) => id);
const HEADING = /<h2 id="(?:new|section-\d|cloth|pairs|rail)"[^>]*>([^<]*)<\/h2>/g;
const titlesOn = (html: string) => [...bodyOf(html).matchAll(HEADING)].map(([, title]) => title);
const linkPictureOf = (html: string) => /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1];

const set = async (list: unknown[]) =>
  expect(await changeSections(db(), OWNER, sections.parse(list))).toMatchObject({ ok: true });
const eventually = (titles: string[]) => expect.poll(async () => titlesOn(await home())).toEqual(titles);
const ofProducts = (ids: (string | undefined)[]) => ({ id: "b", kind: "products", title: "Ours", products: ids });
const ofCollection = () => ({ id: "c", kind: "collection", title: "", collection, most: 4 });
const SLOGAN = { id: "z", kind: "slogan", title: "Sewn in Lagos" };

test("the owner's sections are on the page in the owner's order, without script, and what is typed is text", async () => {
  const [tee, cap] = products;
  await set([
    { id: "a", kind: "slogan", title: "Sewn in <Lagos>", text: "By hand.", to: "/about", label: "Who we are" },
    ofProducts([cap, tee]),
    ofCollection(),
    { id: "d", kind: "shipped", name: "rail" },
    { id: "e", kind: "arrivals", title: "Just in", most: 8 },
    {
      id: "f",
      kind: "picture",
      title: "The yard & its cloth",
      to: "/shop?kind=tees",
      label: "See the tees",
      alt: "A yard of cloth",
      picture: { hash },
    },
  ]);
  await eventually(["Ours", "Owambe", "Eight shirts, one side", "Just in", "The yard &amp; its cloth"]);
  const body = bodyOf(await home());
  const places = ["Sewn in &lt;Lagos&gt;", 'href="/about"', ">Ours<", `href="/collections/${collection}"`].map((text) =>
    body.indexOf(text, body.indexOf("Sewn in")),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(shownOn(body).slice(0, 3)).toEqual([cap, tee, products[2]]);
  const [picture = ""] = /<img[^>]*alt="A yard of cloth"[^>]*>/.exec(body) ?? [];
  for (const attribute of ['width="30"', 'height="20"', 'loading="lazy"']) expect(picture).toContain(attribute);
  expect(body).toContain('href="/shop?kind=tees"');
  expect(body).toMatch(/<div id="new"[^>]*><div[^>]*><p[^>]*>Sewn in &lt;Lagos&gt;/);
  const ids = [...body.matchAll(/<(?:h2|div) id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a piece that leaves the shop leaves its section, and a section with nothing left leaves the page", async () => {
  const [tee, cap, gown] = products;
  await set([ofProducts([cap, tee]), ofCollection(), SLOGAN]);
  await eventually(["Ours", "Owambe"]);
  expect(shownOn(await home())).toEqual([cap, tee, gown]);
  const hide = (id = "") => db().updateTable("products").set({ hidden: true }).where("id", "=", id).execute();
  await hide(cap);
  await expect.poll(async () => shownOn(await home())).toEqual([tee, gown]);
  await hide(tee);
  await eventually(["Owambe"]);
  await changeCollection(db(), OWNER, collection, { ...OWAMBE, hidden: true }, 2);
  await eventually([]);
  expect(bodyOf(await home())).toContain("Sewn in Lagos");
});

test("what is put into a collection comes to its section", async () => {
  await set([ofCollection()]);
  await eventually(["Owambe"]);
  await addProducts(db(), OWNER, collection, products.slice(0, 1));
  await expect.poll(async () => shownOn(await home())).toEqual([products[2], products[0]]);
});

test("a sale that begins while the page is kept is on the cards of its sections", async () => {
  const [tee, , gown] = products;
  await set([ofProducts([tee]), ofCollection()]);
  await eventually(["Ours", "Owambe"]);
  const cardOf = (html: string, id = "") => html.split(`href="/singleProduct/${id}"`)[1]?.split("</a>", 1)[0];
  expect(cardOf(bodyOf(await home()), tee)).toContain("$49.99");
  await sql`insert into sale_prices (plan_id, product_id, price_cents, starts_at)
    select gen_random_uuid(), id, 1234, now() + interval '1 second'
    from products where id in (${tee}, ${gown})`.execute(db());
  for (const id of [tee, gown]) await expect.poll(async () => cardOf(bodyOf(await home()), id)).toContain("$12.34");
});

test("a shop that sets nothing has the sections that it comes with; put back, the page is what it was, to the letter", async () => {
  expect(titlesOn(first)).toEqual(SHIPPED);
  await set([SLOGAN]);
  await eventually([]);
  expect(linkPictureOf(await home())).toBe(linkPictureOf(first));
  expect(linkPictureOf(first)).toMatch(/home/);
  await resetSections(db(), OWNER);
  await eventually(SHIPPED);
  expect(await home()).toBe(first);
});
