import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { RouterContextProvider } from "react-router";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readFilters } from "#app/catalog/filter/filters.ts";
import { env } from "#app/infra/env.server.ts";
import { chargeInKobo, FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { loader as productPage } from "#app/routes/product.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct, setStock } from "#tests/support/shop.ts";
import { getProduct, listAndCountCards, listColors, listColorsOf, listOthers, listProducts } from "./catalog.server.ts";
import { seedDemo } from "./demo.server.ts";
import { contentHash, storePicture } from "./pictures/originals.server.ts";
import { picture } from "./pictures/renderings.server.ts";
import { pictureResponse } from "./pictures/response.server.ts";
import { loadSharp } from "./pictures/sharp.server.ts";
import { isSoldOut, type Product, toSpecification } from "./product.ts";
import { findCards } from "./search/search.server.ts";

const database = useDatabase();
const db = () => database.db();

beforeAll(() => seedDemo(db()));
afterAll(() => rm(path.join(env.dataDir, "pictures"), { recursive: true, force: true }));

describe("the demo catalogue", () => {
  test("is filled once", async () => {
    const before = await listProducts(db());
    await seedDemo(db());
    expect(await listProducts(db())).toEqual(before);
    expect(before.length).toBeGreaterThanOrEqual(12);
  });

  test("shows sold-out products last", async () => {
    const soldOut = (await listProducts(db())).map(isSoldOut);
    expect(soldOut).toContain(true);
    expect(soldOut).toEqual([...soldOut].sort());
  });

  test("has the specification's shape of a product", async () => {
    const product = (await getProduct(db(), "unity-home-jersey")) as Product;
    expect(toSpecification(product, "https://shop.example")).toEqual({
      id: "unity-home-jersey",
      title: "Unity Home Jersey",
      color: "Palm Green",
      price: 49.99,
      images: expect.arrayContaining([
        expect.stringMatching(/^https:\/\/shop\.example\/images\/[0-9a-f]{20}\/800\.jpg$/),
      ]),
      sizes: { S: 12, M: 24, L: 30, XL: 18, XXL: 6 },
      quantity: 90,
      description: product.description,
      kinds: product.kinds,
      finalSale: false,
      details: product.details,
    });
  });
});

describe("filters", () => {
  test.each<[string, string, (product: Product) => boolean]>([
    ["a size in stock", "size=M", ({ sizes }) => sizes.some(({ size, available }) => size === "M" && available > 0)],
    ["a price from", "min=60", ({ priceCents }) => priceCents >= 6000],
    ["a price to", "max=24.99", ({ priceCents }) => priceCents <= 2499],
    [
      "a price in naira from",
      "min=95000&currency=NGN",
      ({ priceCents }) => chargeInKobo(priceCents, FALLBACK_RATE) >= 95_000_00,
    ],
    [
      "a price in naira to",
      "max=40000&currency=NGN",
      ({ priceCents }) => chargeInKobo(priceCents, FALLBACK_RATE) <= 40_000_00,
    ],
    ["in stock", "available=on", (product) => !isSoldOut(product)],
    ["a kind", "kind=prints", ({ kinds }) => kinds.includes("prints")],
    [
      "a kind, a size and a word",
      "kind=jerseys&size=M&q=unity",
      ({ kinds, title }) => kinds.includes("jerseys") && /unity/i.test(title),
    ],
    ["a word of the title", "q=adire", ({ title }) => /adire/i.test(title)],
    ["the beginning of a word", "q=harm", ({ title }) => /harmattan/i.test(title)],
    ["a colour as a word", "q=indigo", ({ title, color }) => /indigo/i.test(`${title} ${color}`)],
    ["a kind as a word", "q=tees", ({ kinds, title }) => kinds.includes("tees") || /tee/i.test(title)],
  ])("%s", async (_, query, fits) => {
    const given = new URLSearchParams(query);
    const found = await listProducts(db(), { ...readFilters(given), kind: given.get("kind") ?? undefined });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(fits)).toBe(true);
  });

  test.each(["size=XXXL", "min=free", "sort=random", "size=M&size=L", "q=%25", "min=-1", "q=' or 1=1 --"])(
    "nonsense (%s) is no error",
    async (query) => {
      await expect(listProducts(db(), readFilters(new URLSearchParams(query)))).resolves.toBeInstanceOf(Array);
    },
  );
});

test("a price in naira is compared with what is charged, to the naira", async () => {
  // At a rate of 1600, $24.99 is ₦39,984.
  const has = async (query: string) =>
    (await listProducts(db(), readFilters(new URLSearchParams(`${query}&currency=NGN`)))).some(
      ({ priceCents }) => priceCents === 2499,
    );
  expect(await Promise.all(["max=39983", "max=39984", "min=39984", "min=39985"].map(has))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("a list and its count agree, also when nothing fits", async () => {
  const all = (await listProducts(db())).length;
  for (const [query, most, expected] of [
    ["", 3, [3, all]],
    ["q=unity", 1, [1, 3]],
    ["q=zzzzzz", 3, [0, 0]],
  ] as const) {
    const { found, total } = await listAndCountCards(db(), readFilters(new URLSearchParams(query)), { after: 0, most });
    expect([found.length, total], query).toEqual(expected);
  }
});

test.each([
  ["color=green", ["Palm Green", "Teal"]],
  ["color=BROWN+black", ["Cocoa", "Black", "Washed Black"]],
  ["color=brown&color=black", ["Cocoa", "Black", "Washed Black"]],
  ["color=other", []],
])("families of colours (%s) find all of their colours", async (query, colors) => {
  const filters = readFilters(new URLSearchParams(query));
  const { found, total } = await findCards(db(), filters, { after: 0, most: 30 });
  expect([new Set(found.map(({ color }) => color)), total]).toEqual([new Set(colors), found.length]);
});

test("a card names the sizes that are in stock, in order", async () => {
  const { found } = await listAndCountCards(db(), readFilters(new URLSearchParams("q=night market")), {
    after: 0,
    most: 1,
  });
  expect(found).toMatchObject([{ id: "night-market-jersey", sizesInStock: ["S", "L", "XL"] }]);
});

test("related products are in stock: those of its kind first, then those after it in the list's order", async () => {
  const all = (await listProducts(db())).filter((product) => !isSoldOut(product));
  for (const id of ["unity-home-jersey", "eko-chevron-jersey", "rings-tote", "harmattan-zigzag-jersey"]) {
    const product = await getProduct(db(), id);
    const others = await listOthers(db(), id, 4);
    expect(others.map((other) => other.id)).not.toContain(id);
    expect(others.map(({ soldOut }) => soldOut)).toEqual([false, false, false, false]);
    const isSameKind = (other: { id: string }) =>
      all.find((one) => one.id === other.id)?.kinds.some((kind) => product?.kinds.includes(kind)) ?? false;
    const kin = all.filter((one) => one.id !== id && isSameKind(one)).length;
    expect(others.filter(isSameKind)).toEqual(others.slice(0, Math.min(4, kin)));
  }
  expect((await listOthers(db(), "unity-home-jersey", 1)).map(({ id }) => id)).toEqual(["cocoa-hoops-jersey"]);
});

describe("pictures", () => {
  const bytes = () => readFile("db/demo/images/rings-tee-front.jpg");

  test.each(["avif", "webp", "jpg"] as const)("are made as %s at the width asked for", async (format) => {
    const hash = await storePicture(await bytes());
    const bytes160 = await picture(hash, 160, format);
    const made = await sharp(bytes160).metadata();
    expect([made.width, made.height]).toEqual([160, 200]);
    expect(made.format).toBe(format === "avif" ? "heif" : format === "jpg" ? "jpeg" : "webp");
  });

  test("are made once for simultaneous requests", async () => {
    const hash = await storePicture(await bytes());
    const made = await Promise.all(Array.from({ length: 5 }, () => picture(hash, 320, "webp")));
    expect(new Set(made).size).toBe(1); // the same object: one encoding served all requests
  });

  test("can be read while others are being made", async () => {
    const small = await (await loadSharp())(await bytes())
      .resize(16)
      .jpeg()
      .toBuffer();
    const readOften = async () => {
      for (let i = 0; i < 60; i++) await (await loadSharp())(small).stats();
    };
    await expect(Promise.all(Array.from({ length: 8 }, readOften))).resolves.toBeDefined();
  });

  test("are named by their content, and may be cached for ever", async () => {
    const hash = contentHash(await bytes());
    const response = await pictureResponse(new Request(`http://localhost/images/${hash}/160.webp`));
    expect(response?.headers.get("cache-control")).toContain("immutable");
    expect(response?.headers.get("content-type")).toBe("image/webp");
  });

  test.each([
    "/images/00000000000000000000/160.webp",
    "/images/../../etc/passwd",
    "/images/x/160.webp",
    "/images/DEMO/0160.webp",
    "/images/DEMO/160.webp/",
    "/images/DEMO/160.webp%00",
    "/images/DEMO/160.WEBP",
    "/images/DEMO/..%2fDEMO.jpg",
    "/images/00000000000000000000/161.webp",
    "/images/00000000000000000000/160.gif",
  ])("%s is no picture's URL", async (url) => {
    const path = url.replaceAll("DEMO", await storePicture(await bytes()));
    expect(await pictureResponse(new Request(`http://localhost${path}`))).toBeNull();
  });
});

describe("a product's flag for lists: whether it is in stock", () => {
  const isListed = async (id: string) => (await listProducts(db(), { available: true })).some((one) => one.id === id);

  test("follows the sizes as they sell out and come back", async () => {
    const id = await makeProduct(db(), { M: 1, L: 0 });
    expect(await isListed(id)).toBe(true);
    await setStock(db(), id, "M", 0);
    expect(await isListed(id)).toBe(false);
    await setStock(db(), id, "L", 2);
    expect(await isListed(id)).toBe(true);
  });

  test("is right when the last two sizes sell out at once", async () => {
    const id = await makeProduct(db(), { M: 1, L: 1 });
    await Promise.all(["M", "L"].map((size) => setStock(db(), id, size, 0)));
    expect(await isListed(id)).toBe(false);
  });
});

test("the colours for the filter are listed once each, in order", async () => {
  const colors = (await listProducts(db())).map(({ color }) => color);
  expect(await listColors(db())).toEqual([...new Set(colors)].sort());
});

describe("the colours of one model", () => {
  const model = async (title: string, ...colors: string[]) => {
    const ids = await Promise.all(colors.map(() => makeProduct(db(), { M: 1 })));
    for (const [at, id] of ids.entries())
      await db()
        .updateTable("products")
        .set({ title, color: colors[at], position: 1000 + at })
        .where("id", "=", id)
        .execute();
    return ids;
  };
  const colorsOf = async (id = "") => (await listColorsOf(db(), id)).map(({ id, color }) => [id, color]);

  test("are the products with the same title, in the list's order, whichever of them is shown", async () => {
    const [cream, blue] = await model("Ọ̀wàǹbẹ̀ Tee", "Cream", "Blue");
    const [, , black] = await model("OWANBE TEE", "", "", "Black");
    await model("Owanbe Tee Long", "Red");
    const all = [
      [cream, "Cream"],
      [blue, "Blue"],
      [black, "Black"],
    ];
    for (const id of [cream, blue, black]) expect(await colorsOf(id)).toEqual(all);
  });

  test("are none if there is only one, or if the others are hidden or have no colour", async () => {
    const [one, other, plain] = await model("Market Tee", "Cream", "Blue", "");
    expect(await colorsOf(one)).toHaveLength(2);
    expect(await colorsOf(plain)).toHaveLength(2);
    await db()
      .updateTable("products")
      .set({ hidden: true })
      .where("id", "=", other ?? "")
      .execute();
    expect(await colorsOf(one)).toEqual([]);
    expect(await colorsOf(other)).toEqual([]);
    expect(await colorsOf("no-such-product")).toEqual([]);
  });

  test("are not among the related products", async () => {
    const [one, other] = await model("Festac Tee", "Cream", "Blue");
    const [near] = await model("Badagry Tee", "Cream");
    const found = (await listOthers(db(), one ?? "", 100)).map(({ id }) => id);
    expect(found).toContain(near);
    expect(found).not.toContain(other);
  });

  test("have one product each: the one that is shown, or else the first", async () => {
    const [first, second, blue] = await model("Twin Tee", "Cream", "Cream", "Blue");
    expect(await colorsOf(blue)).toEqual([
      [first, "Cream"],
      [blue, "Blue"],
    ]);
    expect(await colorsOf(second)).toEqual([
      [second, "Cream"],
      [blue, "Blue"],
    ]);
  });
});

describe("24 a product's URL in upper and lower case", () => {
  /** The response's status and the URL to which it redirects. */
  async function askedFor(address: string): Promise<[number, string | null]> {
    const request = new Request(`http://localhost/singleProduct/${address}`);
    const [, id = ""] = /^([^?]*)/.exec(address) ?? [];
    const args = {
      request,
      params: { id },
      context: new RouterContextProvider(),
      url: new URL(request.url),
      pattern: "",
    };
    const answer: unknown = await productPage(args as unknown as Parameters<typeof productPage>[0]).catch(
      (error) => error,
    );
    if (answer instanceof Response) return [answer.status, answer.headers.get("location")];
    return [(answer as { init: ResponseInit }).init.status ?? 200, null];
  }

  test("redirects to the only product that matches, with its query", async () => {
    expect(await askedFor("unity-home-jersey")).toEqual([200, null]);
    expect(await askedFor("UNITY-HOME-JERSEY?size=M")).toEqual([302, "/singleProduct/unity-home-jersey?size=M"]);
  });

  test("is unknown if several products match, or no visible one", async () => {
    for (const id of ["Twin-Tee", "twin-tee", "Hidden-Tee"])
      await db()
        .insertInto("products")
        .values({ id, title: "Tee", color: "", priceCents: 100, images: "[]" })
        .execute();
    await db().updateTable("products").set({ hidden: true }).where("id", "=", "Hidden-Tee").execute();
    expect(await askedFor("Twin-Tee")).toEqual([200, null]);
    for (const address of ["TWIN-TEE", "hidden-tee", "nothing"]) expect(await askedFor(address)).toEqual([404, null]);
    await db().deleteFrom("products").where("title", "=", "Tee").execute();
  });
});
