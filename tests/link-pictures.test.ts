vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import sharp from "sharp";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { pictureStore } from "#app/catalog/pictures/store.server.ts";
import { env } from "#app/infra/env.server.ts";
import { loader as robots } from "#app/routes/robots.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url, { keepsPages: false });
const PRODUCT = "unity-home-jersey";

const get = (path: string, headers?: Record<string, string>) =>
  fetch(`http://127.0.0.1:${shop().port}${path}`, { headers: { host: "localhost", ...headers } });

/** The address of the link picture that a page names, as a path, and its description. */
async function pictureOf(path: string): Promise<{ address: string; alt: string }> {
  const html = await (await get(path)).text();
  const [, image = ""] = /<meta property="og:image" content="([^"]+)"\/>/.exec(html) ?? [];
  const [, alt = ""] = /<meta property="og:image:alt" content="([^"]+)"\/>/.exec(html) ?? [];
  expect(html).toContain(`<meta name="twitter:image" content="${image}"/>`);
  expect(image).toContain(`${env.publicUrl.origin}/link/`);
  return { address: image.slice(env.publicUrl.origin.length), alt };
}

async function bytesAt(address: string): Promise<{ cached: string | null; bytes: Buffer }> {
  const answer = await get(address);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  return { cached: answer.headers.get("cache-control"), bytes: Buffer.from(await answer.arrayBuffer()) };
}

const written = () => vi.mocked(pictureStore().write).mock.calls.filter(([name]) => name.startsWith("links/")).length;

beforeAll(async () => {
  await seedDemo(db());
  await db().insertInto("collections").values({ id: "owambe", name: "Owambe", hidden: false, position: 1 }).execute();
  await db()
    .insertInto("collectionProducts")
    .values({ collectionId: "owambe", productId: PRODUCT, position: 1 })
    .execute();
});

beforeEach(() => void vi.spyOn(pictureStore(), "write"));

test.each(["/", "/shop", "/about", "/collections/owambe", `/singleProduct/${PRODUCT}`])(
  "%s names a picture of 1200 x 630 px at an address that may be kept for long, which is drawn once",
  async (path) => {
    const { address } = await pictureOf(path);
    const [{ cached, bytes }] = await Promise.all([bytesAt(address), bytesAt(address)]);
    expect((await bytesAt(address)).bytes.equals(bytes)).toBe(true);
    expect(cached).toBe("public, max-age=31536000, immutable");
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
    expect(written()).toBe(1);
  },
);

test("a new price is another picture at another address, and the old address shows it for a minute", async () => {
  const old = await pictureOf(`/singleProduct/${PRODUCT}`);
  const before = await bytesAt(old.address);
  await db().updateTable("products").set({ priceCents: 123_456 }).where("id", "=", PRODUCT).execute();
  const now = await pictureOf(`/singleProduct/${PRODUCT}`);
  expect(now.alt).toContain("$1,234.56");
  expect(now.address).not.toBe(old.address);
  const after = await bytesAt(now.address);
  expect(after.bytes.equals(before.bytes)).toBe(false);
  const shown = await bytesAt(old.address);
  expect(shown.cached).toBe("public, max-age=60");
  expect(shown.bytes.equals(after.bytes)).toBe(true);
});

test("a copy that is still the current picture is not sent again, and an older one is", async () => {
  const { address } = await pictureOf("/about");
  const tag = (await get(address)).headers.get("etag") ?? "";
  const again = (tagged: string) => get(address, { "if-none-match": tagged });
  expect([(await again(tag)).status, (await again('"0123456789ab"')).status]).toEqual([304, 200]);
});

test("a picture whose photograph the store lacks is drawn without it, and with it once it is back", async () => {
  const { address } = await pictureOf("/singleProduct/rings-tote");
  const read = vi.spyOn(pictureStore(), "read").mockResolvedValue(undefined);
  const bare = await bytesAt(address);
  expect([bare.cached, written()]).toEqual(["public, max-age=60", 0]);
  read.mockRestore();
  const whole = await bytesAt(address);
  expect([whole.cached, written()]).toEqual(["public, max-age=31536000, immutable", 1]);
  expect(whole.bytes.length).toBeGreaterThan(bare.bytes.length);
});

test("addresses with invented versions, or none, have nothing drawn and may not be kept for long", async () => {
  const { address } = await pictureOf("/shop");
  await bytesAt(address);
  const before = written();
  const invented = Array.from({ length: 30 }, (_, at) => `/link/shop.jpg?v=${at}`);
  for (const one of ["/link/shop.jpg", ...invented]) expect((await bytesAt(one)).cached).toBe("public, max-age=60");
  expect(written()).toBe(before);
});

test("pages without a picture, hidden products and unknown ones are 404", async () => {
  await db().updateTable("products").set({ hidden: true }).where("id", "=", "rings-tee").execute();
  const none = [
    "account.jpg",
    "home.png",
    "singleProduct/rings-tee.jpg",
    "singleProduct/none.jpg",
    "collections/x.jpg",
  ];
  for (const name of [...none, `x/${PRODUCT}.jpg`, "home/x.jpg", "collections/..%2fhome.jpg"])
    expect((await get(`/link/${name}`)).status, name).toBe(404);
});

test("robots may read link pictures", async () => {
  const closed = [...(await robots().text()).matchAll(/^Disallow: (.*)$/gm)].map(([, path = ""]) => path);
  expect(closed.filter((path) => "/link/home.jpg".startsWith(path))).toEqual([]);
});
