vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import Papa from "papaparse";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { writeFeeds } from "#app/catalog/feeds/files.server.ts";
import { FEED_FILES, type FeedFile } from "#app/catalog/feeds/formats.ts";
import { pictureStore } from "#app/catalog/pictures/store.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { setStock } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${shop().port}${path}`, {
    headers: { host: "localhost", "accept-encoding": "identity", ...headers },
  });

beforeAll(async () => {
  await seedDemo(db());
  // A sale whose old price is shown, and one piece that is sold out.
  await sql`update price_history set at = at - interval '60 days'`.execute(db());
  await sql`insert into sale_prices (plan_id, product_id, percent, starts_at, ends_at)
    values (gen_random_uuid(), 'unity-home-jersey', 20, now(), now() + interval '2 days')`.execute(db());
  await setStock(db(), "rings-tee", "M", 0);
  await sql`update products set details = details || '{"weightGrams": 230}' where id = 'rings-tee'`.execute(db());
});

type Item = Record<string, string>;

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

function itemsOf(file: FeedFile, text: string): Item[] {
  if (file === "google.xml")
    return [...text.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = ""]) =>
      Object.fromEntries(
        [...item.matchAll(/<g:(\w+)>(.*?)<\/g:\1>/gs)].map(([, name, value = ""]) => [
          name,
          value.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity),
        ]),
      ),
    );
  const { data } = Papa.parse<Item>(text, { header: true, skipEmptyLines: true });
  return data.map((item) => ({ ...item, id: item.id ?? item.sku_id ?? "" }));
}

type Offer = { price: string; priceCurrency: string; availability: string; priceSpecification?: { price: string } };
type Variant = { sku: string; size?: string; color?: string; offers: Offer };

/** What the page says that a link of the feed leads to. */
async function onPage(link: string): Promise<Map<string, Variant & { title: string; image: string[] }>> {
  const { pathname, search } = new URL(link);
  const page = await (await get(pathname + search)).text();
  const [, json = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  const { name, image, hasVariant } = JSON.parse(json) as { name: string; image: string[]; hasVariant: Variant[] };
  return new Map(hasVariant.map((variant) => [variant.sku, { ...variant, title: name, image }]));
}

describe.each(FEED_FILES)("%s", (file) => {
  test.each([
    ["", "NGN"],
    ["?currency=NGN", "NGN"],
    ["?currency=USD", "USD"],
  ])("%s says of each size of each product what its page says", async (query, currency) => {
    const answer = await get(`/feeds/${file}${query}`);
    expect(answer.status).toBe(200);
    const items = itemsOf(file, await answer.text());
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from product_sizes join products p on p.id = product_id where not hidden`.execute(db());
    expect(items).toHaveLength(rows[0]?.n ?? 0);
    const links = [...new Set(items.map(({ link = "" }) => link))];
    const pages = new Map(await Promise.all(links.map(async (link) => [link, await onPage(link)] as const)));
    for (const item of items) {
      const { offers, title, color, size, image } = pages.get(item.link ?? "")?.get(item.id ?? "") ?? {};
      const [price, salePrice] = offers?.priceSpecification
        ? [offers.priceSpecification.price, offers.price]
        : [offers?.price];
      expect(offers?.priceCurrency).toBe(currency);
      expect(item).toMatchObject({ title, image_link: image?.[0], price: `${price} ${currency}` });
      expect(item.sale_price || undefined).toBe(salePrice && `${salePrice} ${currency}`);
      expect(item.color || undefined).toBe(color);
      expect(item.size || undefined).toBe(size);
      const isInStock = item.availability?.replace("_", " ") === "in stock";
      expect(offers?.availability).toBe(`https://schema.org/${isInStock ? "InStock" : "OutOfStock"}`);
    }
    expect(items.filter(({ sale_price }) => sale_price)).not.toEqual([]);
    const weights = new Set(items.filter(({ id }) => id?.startsWith("rings-tee")).map((item) => item.shipping_weight));
    expect([...weights]).toEqual([file === "tiktok.csv" ? undefined : "230 g"]);
    expect(items.some(({ availability }) => availability?.startsWith("out"))).toBe(true);
  });
});

test("a link of the feed shows its currency first, unless the visitor has chosen another", async () => {
  const lead = async (query: string, cookie = "") =>
    /<html[^>]* data-currency="(\w+)"/.exec(
      await (await get(`/singleProduct/rings-tee${query}`, { cookie })).text(),
    )?.[1];
  expect(await lead("")).toBe("USD");
  expect(await lead("?currency=NGN")).toBe("NGN");
  expect(await lead("?currency=NGN", "irepo_currency=USD")).toBe("USD");
  expect(await lead("?currency=USD", "irepo_currency=NGN")).toBe("NGN");
  expect(await lead("?currency=EUR", "irepo_currency=NGN")).toBe("NGN");
});

test.each([
  ["/feeds/ebay.xml", 404],
  ["/feeds/google.xml?currency=EUR", 400],
])("%s is answered with %i", async (path, status) => {
  expect((await get(path)).status).toBe(status);
});

describe("a feed that was asked for", () => {
  const PATH = "/feeds/meta.csv";
  const tag = async () => (await get(PATH)).headers.get("etag");
  const pass = (time: string) =>
    sql`update feeds set written_at = written_at - ${time}::interval, asked_at = asked_at - ${time}::interval`.execute(
      db(),
    );

  test("is written once, served from its file and compressed, and not sent again to who has it", async () => {
    const before = await (await get(PATH)).text();
    await writeFeeds(db());
    const answer = await get(PATH);
    expect(await answer.text()).toBe(before);
    const etag = answer.headers.get("etag") ?? "";
    expect(etag).toMatch(/^".+"$/);
    const small = await get(PATH, { "accept-encoding": "gzip" });
    expect(small.headers.get("content-encoding")).toBe("gzip");
    expect(await small.text()).toBe(before);
    expect((await get(PATH, { "if-none-match": etag })).status).toBe(304);
  });

  test("is written anew after a change, but not within ten minutes", async () => {
    const etag = await tag();
    await setStock(db(), "rings-tee", "L", 0);
    await writeFeeds(db());
    expect(await tag()).toBe(etag);
    await pass("11 minutes");
    await writeFeeds(db());
    const changed = await tag();
    expect(changed).not.toBe(etag);
    expect(await (await get(PATH)).text()).toMatch(/^rings-tee-L,.*,out of stock,/m);
  });

  test("is left alone when nobody has asked for two weeks, and written again when somebody does", async () => {
    const etag = await tag();
    await setStock(db(), "rings-tee", "L", 7);
    await pass("15 days");
    await writeFeeds(db());
    const fresh = await get(PATH); // asks again
    expect(fresh.headers.get("etag")).toBeNull();
    expect(await fresh.text()).toMatch(/^rings-tee-L,.*,in stock,/m);
    await writeFeeds(db());
    expect(await tag()).not.toBe(etag);
  });

  test("keeps the last file where writing breaks off, and is written by the next run", async () => {
    const etag = await tag();
    await setStock(db(), "rings-tee", "L", 0);
    await pass("11 minutes");
    const broken = vi.spyOn(pictureStore(), "write").mockRejectedValueOnce(new Error("the disk is full"));
    await expect(writeFeeds(db())).rejects.toThrow("the disk is full");
    broken.mockRestore();
    expect(await tag()).toBe(etag);
    await writeFeeds(db());
    expect(await tag()).not.toBe(etag);
  });
});
