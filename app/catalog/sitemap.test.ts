import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { publicPage } from "#app/public-pages.ts";
import routes from "#app/routes.ts";
import { PUBLIC_PATHS } from "#app/ui/frame/paths.ts";
import { useDatabase } from "#tests/support/database.ts";
import { sitemap } from "./sitemap.server.ts";

const database = useDatabase();
const db = () => database.db();
const SITE = "https://irepo.example";
const IDS = ["one", "two", "three", "four", "five"];
const HASH = "0123456789abcdef0123";

beforeAll(async () => {
  const image = { hash: HASH, width: 8, height: 10, alt: "", background: "#fff" };
  for (const id of IDS)
    await db()
      .insertInto("products")
      .values({ id, title: id, color: "", priceCents: 100, images: JSON.stringify(id === "one" ? [image] : []) })
      .execute();
  await db()
    .insertInto("products")
    .values({ id: "six", title: "6", color: "", priceCents: 1, images: "[]", hidden: true })
    .execute();
  await db().insertInto("collections").values({ id: "owambe", name: "Owambe", hidden: false, position: 1 }).execute();
});

const pathsIn = (text = "") =>
  [...text.matchAll(/<loc>https:\/\/irepo\.example([^<]*)<\/loc>/g)].map(([, path]) => path);

test("one file has every page that the shop shows, and each product's pictures and last day of change", async () => {
  const text = await sitemap(db(), SITE);
  expect(pathsIn(text)).toEqual([
    ...PUBLIC_PATHS,
    "/collections/owambe",
    ...IDS.toSorted().map((id) => `/singleProduct/${id}`),
  ]);
  const today = new Date().toISOString().slice(0, 10);
  const picture = `<image:image><image:loc>${SITE}/images/${HASH}/1200.jpg</image:loc></image:image>`;
  expect(text).toContain(`<url><loc>${SITE}/singleProduct/one</loc><lastmod>${today}</lastmod>${picture}</url>`);
});

test("the sitemap has each page that is cached for everybody and readable offline, and no other", async () => {
  const pages = (routes[0]?.children ?? []).map(({ path = "" }) => `/${path}`);
  const shown = (isShown: (path: string) => boolean) =>
    pages.filter((page) => isShown(page.replace(":id", "one"))).sort();
  const [, offline = ""] = /const PAGE = \/(.+)\/i;/.exec(readFileSync("public/sw.js", "utf8")) ?? [];
  const listed = pathsIn(await sitemap(db(), SITE)).map((path = "") => path.replace(/^(\/\w+\/).+/, "$1:id"));
  expect([...new Set(listed)].sort()).toEqual(shown((path) => publicPage(path) !== undefined));
  expect([...new Set(listed)].sort()).toEqual(shown((path) => new RegExp(offline, "i").test(path)));
});

test("with more products than one file takes it is an index of parts, which have each page once", async () => {
  const index = await sitemap(db(), SITE, undefined, 2);
  expect(index).toContain("<sitemapindex ");
  expect(pathsIn(index)).toEqual(["/sitemap/1.xml", "/sitemap/2.xml", "/sitemap/3.xml"]);
  const parts = await Promise.all([1, 2, 3].map((part) => sitemap(db(), SITE, part, 2)));
  expect(parts.flatMap(pathsIn)).toEqual(pathsIn(await sitemap(db(), SITE)));
  expect(parts.map((text) => pathsIn(text).filter((path) => path?.startsWith("/singleProduct/")).length)).toEqual([
    2, 2, 1,
  ]);
});

test("there is no part before the first and after the last one", async () => {
  expect(await sitemap(db(), SITE, 0, 2)).toBeUndefined();
  expect(await sitemap(db(), SITE, 4, 2)).toBeUndefined();
  expect(await sitemap(db(), SITE, 2)).toBeUndefined();
});
