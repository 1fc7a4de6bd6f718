import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { afterEach, describe, expect, test, vi } from "vitest";
import { getProduct, getProducts } from "#app/catalog/catalog.server.ts";
import { addPicture } from "#app/catalog/pictures/new-picture.server.ts";
import { eachFlag } from "#app/catalog/product-fields.ts";
import { publishDue } from "#app/catalog/publish.server.ts";
import { workOn } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { usdCents } from "#app/money/money.ts";
import { importSale } from "#app/orders/past/import.server.ts";
import { readSaleDocument } from "#app/orders/past/sale.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { checkInvariants } from "../invariants.server.ts";
import type { Keyset } from "../keyset.server.ts";
import { addProduct, copyProduct } from "./product-add.server.ts";
import type { ProductEdit } from "./product-edit.server.ts";
import { productHistory } from "./product-history.server.ts";
import { countProducts, PRODUCT_SORTS, searchProducts } from "./product-list.server.ts";
import { deleteProduct, saveProduct } from "./product-save.server.ts";
import { viewProduct } from "./product-view.server.ts";
import { setHidden } from "./products.server.ts";

const { db, provider, open } = useCheckout();
env.pictures = { folder: mkdtempSync(path.join(tmpdir(), "irepo-pictures-")) };
const CHIDI = { name: "chidi@example.com", door: "office" } as const;
const SOON = () => new Date(Date.now() + 60 * 60_000);

const jersey: ProductEdit = {
  title: "Ankara Jersey",
  color: "Teal",
  description: "Light",
  priceCents: usdCents(6299),
  kinds: ["jerseys"],
  ...eachFlag(() => false),
  details: { fabric: "Mesh" },
  images: [],
  sizes: ["M", "L"],
  pieces: { M: 3 },
  shown: "published",
};
const add = async (edit: Partial<ProductEdit> = {}) => {
  const done = await addProduct(db(), OWNER, { ...jersey, ...edit }, { key: randomUUID() });
  if (!done.ok) throw new Error(JSON.stringify(done));
  return done.id;
};
const view = async (id: string) => {
  const product = await viewProduct(db(), id);
  if (!product) throw new Error(`There is no ${id}`);
  return product;
};
const acts = () => db().selectFrom("auditLog").selectAll().orderBy("id").execute();

afterEach(async () => {
  await sql`truncate users, orders, products, audit_log cascade`.execute(db());
  provider.reset();
});

test("a size begins with the sold pieces of imported sales, in a new product and in an existing one", async () => {
  const document = {
    customerDetails: { name: "Ada Obi", email: "ada@example.com" },
    products: ["M", "XL"].map((selectedSize) => ({ id: "ankara-jersey", selectedSize, price: 20, quantity: 2 })),
    paymentDetails: { reference: randomUUID(), amount: 128_000 },
    totalAmount: 80,
  };
  await db()
    .transaction()
    .execute((trx) => importSale(trx, readSaleDocument(document)));
  const id = await add();
  await saveProduct(db(), OWNER, id, { ...jersey, sizes: ["M", "L", "XL"], pieces: { XL: 1 } });
  const sizes = db().selectFrom("productSizes").select(["size", "sold", "onHand"]).orderBy("size");
  expect(await sizes.execute()).toEqual([
    { size: "L", sold: 0, onHand: 0 },
    { size: "M", sold: 2, onHand: 3 },
    { size: "XL", sold: 2, onHand: 1 },
  ]);
  expect(await checkInvariants(db())).toEqual([]);
});

describe("a new product", () => {
  test("is in the shop with what was typed, and its stock", async () => {
    const id = await add();
    expect(id).toBe("ankara-jersey");
    expect(await getProduct(db(), id)).toMatchObject({
      title: "Ankara Jersey",
      priceCents: 6299,
      kinds: ["jerseys"],
      details: { fabric: "Mesh" },
      sizes: [
        { size: "M", available: 3 },
        { size: "L", available: 0 },
      ],
    });
  });

  test("is made once however often its form arrives", async () => {
    const key = randomUUID();
    const twice = await Promise.all([1, 2].map(() => addProduct(db(), OWNER, jersey, { key })));
    expect(twice.map((done) => done.ok && done.id)).toEqual(["ankara-jersey", "ankara-jersey"]);
    expect((await acts()).length).toBe(1);
  });

  test.each([
    ["Ankara Jersey", "ankara-jersey-2"],
    ["Àdìrẹ: Ọ̀ṣun", "adire-osun"],
    ["Stock", "stock-2"],
    ["???", "product"],
  ])("called %s gets an id that was never used", async (title, id) => {
    await add();
    expect(await add({ title })).toBe(id);
  });

  test("does not get the id, and so the log, of a deleted one", async () => {
    await deleteProduct(db(), OWNER, await add());
    expect(await add()).toBe("ankara-jersey-2");
  });
});

describe("a price", () => {
  test.each([
    [50, "less than a dollar"],
    [4700, "25% less than the last price, $62.99"],
    [7900, "25% more"],
    [300_000, "more than $2,000.00"],
  ])("of %i cents is asked about, and saved when it is agreed to", async (cents, words) => {
    const id = await add();
    const edit = { ...jersey, priceCents: usdCents(cents) };
    const asked = await saveProduct(db(), OWNER, id, edit);
    expect(asked).toMatchObject({ ok: false, problems: { price: expect.stringContaining(words) } });
    expect(await saveProduct(db(), OWNER, id, edit, { agreedCents: 1 })).toMatchObject({ ok: false });
    expect((await view(id)).priceCents).toBe(6299);
    expect(await saveProduct(db(), OWNER, id, edit, { agreedCents: cents })).toMatchObject({ ok: true });
    expect((await view(id)).priceCents).toBe(cents);
  });

  test.each([4725, 7873])("of %i cents is near enough", async (cents) => {
    expect(await saveProduct(db(), OWNER, await add(), { ...jersey, priceCents: usdCents(cents) })).toMatchObject({
      ok: true,
    });
  });
});

describe("saving", () => {
  test("writes what differs, and the log says just that", async () => {
    const id = await add();
    await saveProduct(db(), CHIDI, id, { ...jersey, title: "Ankara", details: { fit: "Wide" }, pieces: {} });
    expect((await acts()).at(-1)).toMatchObject({
      actor: CHIDI.name,
      door: "office",
      action: "products change",
      before: { title: "Ankara Jersey", details: { fabric: "Mesh" } },
      after: { title: "Ankara", details: { fit: "Wide" } },
    });
  });

  test("of unchanged values adds no row to the log", async () => {
    const id = await add();
    expect(await saveProduct(db(), OWNER, id, jersey)).toMatchObject({ ok: true, what: "nothing changed" });
    expect((await acts()).length).toBe(1);
  });

  test("is refused if somebody else has changed the product meanwhile, and names them", async () => {
    const id = await add();
    const { version } = await view(id);
    await saveProduct(db(), CHIDI, id, { ...jersey, color: "Blue" });
    const late = await saveProduct(db(), OWNER, id, { ...jersey, title: "Mine" }, { seen: version });
    expect(late).toMatchObject({ ok: false, since: [{ by: CHIDI.name, action: "products change" }] });
    expect(await view(id)).toMatchObject({ title: "Ankara Jersey", color: "Blue" });
  });

  test("returns the version that it made", async () => {
    const id = await add();
    const { version: seen } = await view(id);
    const saved = await saveProduct(db(), OWNER, id, { ...jersey, color: "Blue" }, { seen });
    const { version } = await view(id);
    expect(saved).toMatchObject({ ok: true, version });
    expect(await saveProduct(db(), OWNER, id, { ...jersey, color: "Blue" }, { seen: version })).toMatchObject({
      version,
    });
  });

  test("is refused for one of two members at the same moment", async () => {
    const id = await add();
    const seen = (await view(id)).version;
    const both = await Promise.all(
      ["Blue", "Red"].map((color) => saveProduct(db(), OWNER, id, { ...jersey, color }, { seen })),
    );
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("keeps stock that was counted or sold meanwhile", async () => {
    const id = await add();
    const { version: seen } = await view(id);
    await command(db(), ["stock", "add", id, "M", "+5"]);
    expect(await saveProduct(db(), OWNER, id, { ...jersey, title: "Other" }, { seen })).toMatchObject({ ok: true });
    expect((await view(id)).sizes).toMatchObject([{ size: "M", pieces: 8 }, { size: "L" }]);
  });

  test("adds a size with its pieces, and removes only a size that never had any", async () => {
    const id = await add();
    expect(
      await saveProduct(db(), OWNER, id, { ...jersey, sizes: ["M", "XL"], pieces: { M: 9, XL: 2 } }),
    ).toMatchObject({
      ok: true,
    });
    expect((await view(id)).sizes).toMatchObject([
      { size: "M", pieces: 3 },
      { size: "XL", pieces: 2 },
    ]);
    expect(await saveProduct(db(), OWNER, id, { ...jersey, sizes: ["M"] })).toMatchObject({
      ok: false,
      problems: { sizes: "XL has had stock, so it stays" },
    });
  });

  test("keeps the order, descriptions and focus of pictures; without a description, a picture has the title", async () => {
    const hashes = await Promise.all(
      ["#900", "#090"].map(async (background) => {
        const bytes = await sharp({ create: { width: 40, height: 50, channels: 3, background } })
          .png()
          .toBuffer();
        return (await addPicture(bytes)).hash;
      }),
    );
    const [red = "", green = ""] = hashes;
    const id = await add({
      images: [
        { hash: red, alt: "" },
        { hash: green, alt: "From behind", focus: "10% 90%" },
      ],
    });
    expect((await getProduct(db(), id))?.images).toMatchObject([
      { hash: red, alt: "Ankara Jersey", width: 40, height: 50 },
      { hash: green, alt: "From behind", focus: "10% 90%" },
    ]);
    await saveProduct(db(), OWNER, id, { ...jersey, images: [{ hash: green, alt: "Back" }] });
    expect((await getProduct(db(), id))?.images).toEqual([
      { hash: green, alt: "Back", width: 40, height: 50, background: expect.any(String) },
    ]);
    const missing = await saveProduct(db(), OWNER, id, { ...jersey, images: [{ hash: "0".repeat(20), alt: "" }] });
    expect(missing).toMatchObject({ ok: false, problem: expect.stringContaining("A picture is missing") });
  });
});

describe("at a time", () => {
  const isShown = async (id: string) => (await getProduct(db(), id)) !== null;

  test("it is hidden until then, and shown by itself", async () => {
    const id = await add({ shown: SOON() });
    await publishDue(db());
    expect(await isShown(id)).toBe(false);
    await sql`update products set publish_at = now()`.execute(db());
    await publishDue(db());
    expect(await isShown(id)).toBe(true);
    expect((await view(id)).publishAt).toBeNull();
  });

  test("a job does it within a second or so", async () => {
    await workOn("publish-products", () => publishDue(db()));
    const id = await add({ shown: new Date(Date.now() + 1500) });
    expect(await isShown(id)).toBe(false);
    await vi.waitUntil(() => isShown(id), { timeout: 10_000, interval: 20 });
    const { rows } = await sql<{
      late: number;
    }>`select extract(epoch from clock_timestamp() - updated_at)::float as late from products`.execute(db());
    expect(rows[0]?.late).toBeLessThan(2);
  });

  test.each([
    ["published at once", "published", true],
    ["a draft again", "draft", false],
  ] as const)("it can be %s instead", async (_, shown, visible) => {
    const id = await add({ shown: SOON() });
    expect(await saveProduct(db(), OWNER, id, { ...jersey, shown })).toMatchObject({ ok: true });
    expect(await view(id)).toMatchObject({ hidden: !visible, publishAt: null });
  });

  test("commands can set it, too", async () => {
    const id = await add();
    expect(await command(db(), ["products", "show", id, "--at", "2099-11-30T09:00"])).toMatchObject({ code: 0 });
    expect(await view(id)).toMatchObject({ hidden: true, publishAt: new Date("2099-11-30T08:00:00Z") });
    for (const at of ["2020-01-01T09:00", "tomorrow", "2099-02-31T09:00"])
      expect(await command(db(), ["products", "show", id, "--at", at])).toMatchObject({ code: 2 });
    expect(await command(db(), ["products", "hide", id])).toMatchObject({ code: 0 });
    expect(await view(id)).toMatchObject({ hidden: true, publishAt: null });
    expect(await setHidden(db(), OWNER, id, true)).toBe(false);
  });
});

describe("deleting", () => {
  test("removes for good what nobody has ordered", async () => {
    const id = await add();
    expect(await deleteProduct(db(), OWNER, id)).toMatchObject({ ok: true });
    expect((await getProducts(db(), [id])).size).toBe(0);
    expect((await acts()).at(-1)).toMatchObject({ action: "products delete", before: { title: "Ankara Jersey" } });
  });

  test("is refused for what lies in a cart, is being paid, or was sold", async () => {
    const id = await makeProduct(db(), { M: 3 });
    const shopper = await makeShopper(db(), { productId: id, size: "M" });
    const refused = () => deleteProduct(db(), OWNER, id);
    expect(await refused()).toMatchObject({ ok: false, problem: expect.stringContaining("in a cart") });
    const { reference } = await open(shopper);
    expect(await refused()).toMatchObject({ ok: false, problem: expect.stringContaining("ordered") });
    provider.pay(reference);
    await settlePayment(reference);
    expect(await refused()).toMatchObject({ ok: false, problem: expect.stringContaining("ordered") });
    expect((await getProducts(db(), [id])).size).toBe(1);
  });
});

test("a copy is a draft with everything but stock", async () => {
  const id = await add();
  const done = await copyProduct(db(), OWNER, id, randomUUID());
  expect(await view(done.ok ? done.id : "")).toMatchObject({
    id: "ankara-jersey-copy",
    title: "Ankara Jersey (copy)",
    hidden: true,
    priceCents: 6299,
    sizes: [
      { size: "M", pieces: 0 },
      { size: "L", pieces: 0 },
    ],
  });
});

test("the timeline says what was done, by whom, from what to what", async () => {
  const id = await add({ shown: "draft" });
  await saveProduct(db(), CHIDI, id, { ...jersey, priceCents: usdCents(6499), shown: "draft" });
  await command(db(), ["products", "show", id]);
  await command(db(), ["stock", "set", id, "M", "5", "--reason", "counted"]);
  const told = (await productHistory(db(), id)).map(({ title, by, text }) => [title, by, text]);
  expect(told).toEqual([
    ["Stock counted", "bola by command", "M 3 → 5; (counted)"],
    ["Shown in the shop", "bola by command", undefined],
    ["Changed", CHIDI.name, "price $62.99 → $64.99"],
    ["Added", "bola by command", "“Ankara Jersey”; price $62.99; sizes L M; M: 3 in stock; a draft"],
  ]);
});

test("the timeline says which details and which marks were changed", async () => {
  const id = await add();
  const edit = { ...jersey, finalSale: true, details: { fit: "Wide", fabric: "Mesh", weightGrams: 230 }, kinds: [] };
  await saveProduct(db(), CHIDI, id, { ...edit, color: "", description: "" });
  await saveProduct(db(), CHIDI, id, { ...edit, finalSale: false, color: "", description: "", details: {} });
  expect((await productHistory(db(), id)).map(({ text }) => text)).toEqual([
    "no longer on final sale; fabric; fit; weight",
    "colour Teal → none; description; kinds jerseys → none; on final sale; fit; weight",
    "“Ankara Jersey”; price $62.99; sizes L M; M: 3 in stock; shown in the shop",
  ]);
});

describe("the list", () => {
  const titles = async (search: Partial<Parameters<typeof searchProducts>[1]>, size?: number) =>
    (await searchProducts(db(), { view: "all", sort: "shop", ...search }, {}, size)).rows.map(({ title }) => title);

  test.each(PRODUCT_SORTS)("sorted by %s, has the first page or an empty one for an invented cursor", async (sort) => {
    const id = await add();
    for (const key of ["", "~", "2026-02-31 09:00:00+00", "9".repeat(20), "-1", "9".repeat(17), "x'", "1.5", "\u0000"])
      for (const edge of [{ before: `${key}~${id}` }, { after: `${key}~${id}` }])
        expect((await searchProducts(db(), { view: "all", sort }, edge)).rows.length, key).toBeLessThan(2);
    expect((await searchProducts(db(), { view: "all", sort: "changed" }, { before: `now~${id}` })).rows).toHaveLength(
      1,
    );
  });

  test.each(PRODUCT_SORTS)("sorted by %s goes forth and back through all pages without a gap", async (sort) => {
    for (const [index, title] of ["C", "A", "B", "A", "D"].entries())
      await add({ title, priceCents: usdCents(1000 + (index % 3) * 100) });
    const page = (at: Keyset) => searchProducts(db(), { view: "all", sort }, at, 2);
    const first = await page({});
    const second = await page({ before: first.older });
    const third = await page({ before: second.older });
    const ids = [first, second, third].map(({ rows }) => rows.map(({ id }) => id));
    expect(ids.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(ids.flat()).toEqual((await searchProducts(db(), { view: "all", sort }, {})).rows.map(({ id }) => id));
    expect(third.older).toBeUndefined();
    expect(first.newer).toBeUndefined();
    const back = await page({ after: third.newer });
    expect(back.rows.map(({ id }) => id)).toEqual(ids[1]);
  });

  test("is narrowed by words, kind and state", async () => {
    await add();
    await add({ title: "Lagoon Tee", kinds: ["tees"], shown: "draft" });
    await add({ title: "Rings Tote", kinds: ["accessories"], pieces: {} });
    await add({ title: "Eko Jersey", shown: SOON() });
    expect(await titles({ text: "jers" })).toEqual(["Ankara Jersey", "Eko Jersey"]);
    expect(await titles({ text: "lagoon-t" })).toEqual(["Lagoon Tee"]);
    expect(await titles({ kind: "tees" })).toEqual(["Lagoon Tee"]);
    expect(await titles({ view: "draft" })).toEqual(["Lagoon Tee"]);
    expect(await titles({ view: "at-a-time" })).toEqual(["Eko Jersey"]);
    expect(await titles({ view: "sold-out" })).toEqual(["Rings Tote"]);
    expect(await titles({ view: "published" })).toEqual(["Ankara Jersey", "Rings Tote"]);
    expect(await countProducts(db())).toEqual({ all: 4, published: 2, "sold-out": 1, draft: 1, "at-a-time": 1 });
  });
});
