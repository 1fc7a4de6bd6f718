vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { feedText } from "#app/catalog/feeds/text.server.ts";
import { addKind, moveKind, renameKind, setKinds } from "#app/owner/kinds/kinds.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);
const ask = useOfficePages();
const FOUR = ["Jerseys", "Tees", "Prints", "Accessories"];

let cookies: string[];
let product: string;

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "owner"));
});
beforeEach(async () => {
  await db().deleteFrom("sizeGuides").execute();
  await db().deleteFrom("collections").execute();
  await db().deleteFrom("offers").execute();
  await sql`update products set hidden = true, kinds = '{}'`.execute(db()); // those of other tests
  await db().deleteFrom("productKinds").where("id", "not in", ["jerseys", "tees", "prints", "accessories"]).execute();
  await setKinds(
    db(),
    OWNER,
    FOUR.map((name, at) => ({ id: name.toLowerCase(), name, place: at + 1 })),
  );
  product = await makeProduct(db(), { M: 2 });
});

const press = (intent: string, form: Record<string, string>) => ask("/kinds", cookies, { intent, ...form });
const add = (name: string, address = "") => press("add", { name, address });
const give = (kinds: string[], id = product) =>
  db().updateTable("products").set({ kinds }).where("id", "=", id).execute();
const kinds = () => db().selectFrom("productKinds").select(["id", "name"]).orderBy("position").execute();
const names = async () => (await kinds()).map(({ name }) => name);

async function page(address: string) {
  const answer = await fetch(`http://127.0.0.1:${shop().port}${address}`, {
    headers: { host: "localhost" },
    redirect: "manual",
  });
  return { status: answer.status, location: answer.headers.get("location"), html: await answer.text() };
}
/** The links to the kinds above a list: their addresses and texts. */
const chipsOn = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)<!-- --> <span class="price/g)].map(([, to, text]) => [
    to,
    text,
  ]);
/** Resolves when the page has these links: kept pages are made anew within a second. */
const eventually = (address: string, chips: string[][]) =>
  expect.poll(async () => chipsOn((await page(address)).html)).toEqual(chips);
const shownOn = (html: string) => [...html.matchAll(/href="\/singleProduct\/([\w-]+)"/g)].map(([, one]) => one);
const found = async (address: string) => [...new Set(shownOn((await page(address)).html))];
const file = (name: string, content: string) => {
  const to = path.join(mkdtempSync(path.join(tmpdir(), "irepo-kinds-")), name);
  writeFileSync(to, content);
  return to;
};
const say = async (line: string[]) => {
  const { code, text } = await command(db(), line);
  expect(code, text).toBe(0);
  return text;
};

describe("a kind that is made in the office", () => {
  beforeEach(async () => {
    expect((await add("Head Wraps")).text).toContain("Head Wraps is added");
  });

  test("is offered wherever products are given kinds or chosen by them", async () => {
    const { text, links } = await ask("/kinds", cookies);
    expect(text).toMatch(
      /Accessories \/collections\/accessories 0 products .*Head Wraps \/collections\/head-wraps 0 products/,
    );
    expect((await ask("/products", cookies)).links).toContain("/kinds");
    expect(links).toContain("/products");
    const boxes = ({ fields }: OfficePage) => fields.filter(({ name }) => name === "kinds[]").map(({ value }) => value);
    const all = ["jerseys", "tees", "prints", "accessories", "head-wraps"];
    for (const address of [`/products/${product}`, "/products/new", "/offers/new", "/size-guides/new"])
      expect(boxes(await ask(address, cookies)), address).toEqual(all);
    const choices = ["/products", "/products/stock", "/products/prices", "/products/prices/change", "/shop/hero"];
    for (const address of choices)
      expect((await ask(address, cookies)).raw, address).toMatch(/<option value="[^"]*head-wraps">Head Wraps/);
    expect((await ask("/products/import", cookies)).text).toContain(
      "of jerseys, tees, prints, accessories, head-wraps;",
    );
  });

  test("is a link above the list once a product has it, and its list has that product", async () => {
    await give(["head-wraps"]);
    const other = await makeProduct(db(), { M: 1 });
    await give(["tees"], other);
    await eventually("/shop", [
      ["/collections/tees", "Tees"],
      ["/collections/head-wraps", "Head Wraps"],
    ]);
    expect(await found("/collections/head-wraps")).toEqual([product]);
    expect(await found("/collections/tees?size=M")).toEqual([other]);
    expect((await page("/llms.txt")).html).toMatch(/^- \[Head Wraps\]\(http:[^)]*head-wraps\)$/m);
  });

  test("is found by the words of its name and of its address, also misspelled ones", async () => {
    await give(["head-wraps"]);
    for (const words of ["head", "wraps", "wrap", "head wraps", "home wrap", "wrpas"])
      expect(await found(`/shop?q=${encodeURIComponent(words)}`), words).toEqual([product]);
    expect((await ask("/products?q=wraps", cookies)).text).toContain("Home Jersey");
  });

  test("is in the feeds by its name", async () => {
    await give(["tees", "head-wraps"]);
    let text = "";
    for await (const part of feedText(db(), "google.xml", "NGN")) text += part;
    expect(text).toContain("<g:product_type>Tees &gt; Head Wraps</g:product_type>");
  });

  test("is read from tables of this shop and of others, and written to them", async () => {
    const table = file("table.csv", "id,title,price,kinds,M\nwrap,Adire Wrap,20,head-wraps | tees,3\n");
    await say(["products", "import", table, "--yes"]);
    const shopify = "Handle,Title,Type,Tags,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty\n";
    const foreign = file("shopify.csv", `${shopify}silk,Silk Wrap,Head wrap,"T-Shirts, summer",Size,M,20,3\n`);
    await say(["products", "import", foreign, "--currency", "USD", "--yes"]);
    const of = async (id: string) =>
      (await db().selectFrom("products").select("kinds").where("id", "=", id).executeTakeFirst())?.kinds;
    expect([await of("wrap"), await of("silk")]).toEqual([
      ["tees", "head-wraps"],
      ["tees", "head-wraps"],
    ]);
    const exported = async (shop: string) => (await ask(`/products/export.csv?for=${shop}`, cookies)).raw;
    expect(await exported("woocommerce")).toContain('"Tees, Head Wraps"');
    expect(await exported("shopify")).toMatch(/^silk,Silk Wrap,[^,]*,[^,]*,Tees,"tees, head-wraps"/m);
    await db().deleteFrom("products").where("id", "in", ["wrap", "silk"]).execute();
  });

  test("can be what an offer, a size guide and a collection's rule are about", async () => {
    await give(["head-wraps"]);
    await say(["offers", "add", "Wraps", "--percent", "10", "--kinds", "head-wraps"]);
    expect((await ask("/offers", cookies)).text).toContain("10% off head wraps");
    await say([
      "collections",
      "set",
      file("c.json", JSON.stringify([{ id: "owambe", name: "Owambe", rule: { kind: "head-wraps" }, hidden: false }])),
    ]);
    await expect.poll(() => found("/collections/owambe")).toEqual([product]);
    expect((await ask("/collections/owambe", cookies)).text).toContain("By the rule: head wraps.");
  });

  test("is removed once nothing names it, and says until then what does", async () => {
    await give(["head-wraps"]);
    const refused = async () => (await press("remove", { kind: "head-wraps" })).text;
    expect(await refused()).toContain("1 product of it: give them another kind first, or none");
    await give([]);
    const guide = { id: "wraps", name: "Wraps", falls: "", kinds: ["head-wraps"], measures: "[]", sizes: "[]" };
    await db().insertInto("sizeGuides").values(guide).execute();
    expect(await refused()).toContain("The size guide “Wraps” is for it");
    await db().deleteFrom("sizeGuides").execute();
    await say(["offers", "add", "Wraps", "--percent", "10", "--kinds", "head-wraps"]);
    expect(await refused()).toContain("The offer “Wraps” names it");
    await sql`update offers set ends_at = now()`.execute(db());
    const rule = JSON.stringify({ kind: "head-wraps" });
    await db().insertInto("collections").values({ id: "owambe", name: "Owambe", rule, position: 1 }).execute();
    expect(await refused()).toContain("The rule of the collection “Owambe” names it");
    await db().deleteFrom("collections").execute();
    expect(await refused()).toContain("Removed.");
    expect(await names()).toEqual(FOUR);
    expect((await ask("/products", cookies)).raw).not.toContain("Head Wraps");
    expect((await ask("/offers?view=ended", cookies)).text).toContain("10% off head-wraps");
  });
});

test("a kind that nobody made is nowhere: no product, guide, offer or rule can name it", async () => {
  const guide = { id: "hats", name: "Hats", falls: "", kinds: ["hats"], measures: "[]", sizes: "[]" };
  const rule = JSON.stringify({ kind: "hats" });
  const terms = JSON.stringify({ gift: { kind: "delivery" }, kinds: ["hats"] });
  for (const write of [
    () => give(["jerseys", "hats"]),
    () => db().insertInto("sizeGuides").values(guide).execute(),
    () => db().insertInto("collections").values({ id: "hats", name: "Hats", rule, position: 1 }).execute(),
    () => db().insertInto("offers").values({ name: "Hats", terms, byCode: false, startsAt: new Date() }).execute(),
  ])
    await expect(write()).rejects.toThrow("there is no kind hats");
  await give(["jerseys"]);
  expect(await page("/shop?kind=hats")).toMatchObject({ status: 200 });
  expect(await found("/shop?kind=hats")).toEqual(await found("/shop"));
  expect(await page("/collections/hats")).toMatchObject({ status: 404 });
});

describe("a kind that is being removed while something is written that names it", () => {
  beforeEach(async () => {
    await add("Head Wraps");
  });
  const isWaited = () => expect.poll(() => countBlocked(db())).toBeGreaterThan(0);
  const named = { kinds: ["head-wraps"] };
  const given = (document: object) => file("one.json", JSON.stringify([document]));

  test.each([
    ["a product", () => ["products", "import", given({ id: product, ...named }), "--yes"]],
    ["a size guide", () => ["size-guides", "set", given({ id: "wraps", ...sizeGuide(named) })]],
    ["an offer", () => ["offers", "add", "Wraps", "--percent", "10", "--kinds", "head-wraps"]],
    [
      "a collection",
      () => ["collections", "set", given({ id: "owambe", name: "Owambe", rule: { kind: "head-wraps" } })],
    ],
  ])("is gone for %s, which is refused with a sentence", async (_, line) => {
    const removal = await db().startTransaction().execute();
    await removal.deleteFrom("productKinds").where("id", "=", "head-wraps").execute();
    const written = command(db(), line());
    await isWaited();
    await removal.commit().execute();
    expect(await written).toMatchObject({
      code: 2,
      text: "Somebody has removed a kind meanwhile: there is no kind head-wraps",
    });
  });

  test("is gone for the office’s form, too, and nothing typed is lost", async () => {
    const removal = await db().startTransaction().execute();
    await removal.deleteFrom("productKinds").where("id", "=", "head-wraps").execute();
    const typed = { name: "Wraps", "measure.0": "Length", "M.0": "180", "kinds[]": "head-wraps" };
    const saved = ask("/size-guides/new", cookies, { intent: "add", ...typed });
    await isWaited();
    await removal.commit().execute();
    const { text, fields } = await saved;
    expect(text).toContain("Somebody has removed a kind meanwhile");
    expect(fields.find(({ name }) => name === "name")?.value).toBe("Wraps");
  });

  test("stays if a product got it first", async () => {
    const save = await db().startTransaction().execute();
    await save.updateTable("products").set(named).where("id", "=", product).execute();
    const removed = press("remove", { kind: "head-wraps" });
    await isWaited();
    await save.commit().execute();
    expect((await removed).text).toContain("1 product of it: give them another kind first, or none");
    expect(await names()).toContain("Head Wraps");
  });
});

test("a kind with another name keeps its address and its products, and is found by the new name alone", async () => {
  await add("Caps");
  await give(["caps"]);
  await give(["tees"], await makeProduct(db(), { M: 1 }));
  const chips = (name: string) => [
    ["/collections/tees", "Tees"],
    ["/collections/caps", name],
  ];
  await eventually("/shop", chips("Caps"));
  const renamed = await press("rename", { kind: "caps", name: "Bucket hats", was: "Caps" });
  expect(renamed.text).toContain("It’s called Bucket hats now.");
  await eventually("/shop", chips("Bucket hats"));
  for (const words of ["bucket", "hats", "caps"]) expect(await found(`/shop?q=${words}`), words).toEqual([product]);
  expect((await press("rename", { kind: "caps", name: "Hats", was: "Caps" })).text).toContain(
    "Somebody else has called it Bucket hats meanwhile",
  );
  await press("rename", { kind: "caps", name: "Caps", was: "Bucket hats" });
  expect((await ask("/products?q=bucket", cookies)).text).not.toContain("Home Jersey");
  expect((await ask("/products?q=caps", cookies)).text).toContain("Home Jersey");
});

describe("the page of a kind", () => {
  beforeEach(async () => {
    await add("Head Wraps");
    await give(["head-wraps"]);
  });

  test("has the kind's name, its products, and the place of a page below the shop", async () => {
    await expect.poll(() => found("/collections/head-wraps")).toEqual([product]);
    const { status, html } = await page("/collections/head-wraps");
    expect(status).toBe(200);
    expect(html).toContain("<title>Head Wraps | Irepo</title>");
    expect(html).toMatch(/<h1[^>]*>Head Wraps<\/h1>/);
    expect(html).toContain('<link rel="canonical" href="http://localhost:3000/collections/head-wraps"/>');
    expect(html).toContain('"@type":"BreadcrumbList"');
    expect(html).toContain('<option value="" selected="">Newest</option>');
    expect((await page("/link/collections/head-wraps.jpg")).status).toBe(200);
    expect(await page("/collections/Head-Wraps?size=M")).toMatchObject({
      status: 301,
      location: "/collections/head-wraps?size=M",
    });
  });

  test("has the shop's filters and orders", async () => {
    const [small, cheap] = [await makeProduct(db(), { S: 1 }), await makeProduct(db(), { M: 1 }, 1000)];
    for (const id of [small, cheap]) await give(["head-wraps"], id);
    await give(["tees"], await makeProduct(db(), { S: 1 }));
    await expect.poll(() => found("/collections/head-wraps?size=S")).toEqual([small]);
    expect(await found("/collections/head-wraps?max=20")).toEqual([cheap]);
    expect((await found("/collections/head-wraps?sort=price-up"))[0]).toBe(cheap);
    expect(await found("/collections/head-wraps?q=home&size=S")).toEqual([small]);
    expect((await page("/collections/head-wraps?size=S")).html).toContain('href="/collections/head-wraps?size=S"');
  });

  test.each([
    ["/shop?kind=head-wraps", "/collections/head-wraps"],
    ["/shop?kind=head-wraps&size=M&sort=price-up", "/collections/head-wraps?size=M&sort=price-up"],
    ["/shop?q=home&kind=head-wraps&page=2", "/collections/head-wraps?q=home&page=2"],
  ])("is where %s leads for good", async (from, to) => {
    expect(await page(from)).toMatchObject({ status: 301, location: to });
  });

  test("is in the sitemap once the kind has a product that the shop shows", async () => {
    const listed = async () => (await page("/sitemap.xml")).html;
    await expect.poll(listed).toContain("<loc>http://localhost:3000/collections/head-wraps</loc>");
    expect(await listed()).not.toContain("/collections/tees");
    await db().updateTable("products").set({ hidden: true }).where("id", "=", product).execute();
    await expect.poll(listed).not.toContain("/collections/head-wraps");
    expect((await page("/collections/head-wraps")).status).toBe(200);
  });

  test("is gone with the kind", async () => {
    await give([]);
    await press("remove", { kind: "head-wraps" });
    await expect.poll(async () => (await page("/collections/head-wraps")).status).toBe(404);
    expect(await page("/shop?kind=head-wraps")).toMatchObject({ status: 200 });
  });

  test("has an address of its own, which no collection can be given, nor a kind that of a collection", async () => {
    const form = { intent: "add", name: "Wraps", words: "", address: "head-wraps" };
    expect((await ask("/collections/new", cookies, form)).text).toContain("The kind “Head Wraps” has this address");
    const document = file("c.json", JSON.stringify([{ id: "head-wraps", name: "Wraps" }]));
    expect(await command(db(), ["collections", "set", document])).toMatchObject({ code: 2 });
    await ask("/collections/new", cookies, { ...form, address: "owambe" });
    expect((await add("Owambe")).text).toContain("The collection “Wraps” has this address");
  });

  test("is that of a collection that had the address before, as long as the shop shows it", async () => {
    await give(["tees"], await makeProduct(db(), { M: 1 }));
    const other = await makeProduct(db(), { M: 1 });
    const collection = { id: "head-wraps", name: "Wrapped up", position: 1, hidden: false };
    await db().insertInto("collections").values(collection).execute();
    await db()
      .insertInto("collectionProducts")
      .values({ collectionId: "head-wraps", productId: other, position: 1 })
      .execute();
    await expect.poll(() => found("/collections/head-wraps")).toEqual([other]);
    await eventually("/shop", [["/collections/tees", "Tees"]]);
    expect((await page("/shop")).html).toMatch(/href="\/collections\/head-wraps"[^>]*>Wrapped up</);
    expect((await page("/sitemap.xml")).html.match(/head-wraps/g)).toHaveLength(1);
    await db().updateTable("collections").set({ hidden: true }).execute();
    await expect.poll(() => found("/collections/head-wraps")).toEqual([product]);
  });
});

test("kinds stand in the owner's order: above the list, in the office, and in each product", async () => {
  await give(["jerseys", "prints"]);
  await press("move", { kind: "prints", before: "jerseys" });
  expect(await names()).toEqual(["Prints", "Jerseys", "Tees", "Accessories"]);
  await eventually("/shop", [
    ["/collections/prints", "Prints"],
    ["/collections/jerseys", "Jerseys"],
  ]);
  expect((await ask(`/products/export.csv`, cookies)).raw).toContain("prints | jerseys");
  await press("move", { kind: "prints", before: "" });
  expect(await names()).toEqual(["Jerseys", "Tees", "Accessories", "Prints"]);
});

test("a new kind comes last, also once others are removed", async () => {
  await press("remove", { kind: "jerseys" });
  expect((await add("Abayas")).text).toContain("Abayas is added");
  const { data } = await command(db(), ["kinds", "list"]);
  expect(data).toMatchObject([{ id: "tees" }, { id: "prints" }, { id: "accessories" }, { id: "abayas" }]);
});

test("a kind isn’t moved before one that somebody has removed", async () => {
  expect((await press("move", { kind: "prints", before: "hats" })).text).toContain("Somebody has removed this kind");
  expect(await names()).toEqual(FOUR);
});

test("a kind has no name or address by which tables of other shops mean another kind", async () => {
  await add("Caps");
  expect((await press("rename", { kind: "caps", name: "T-shirts", was: "Caps" })).text).toContain(
    "Too much like the kind “Tees” at /collections/tees: tables of other shops couldn’t tell them apart",
  );
  await press("rename", { kind: "caps", name: "Hats", was: "Caps" });
  const likeHats = "Too much like the kind “Hats” at /collections/caps";
  expect((await add("Straw", "hat")).text).toContain(likeHats);
  expect((await add("Cap", "straw")).text).toContain(likeHats);
  const document = file("kinds.json", JSON.stringify([{ id: "hats", name: "Straw" }]));
  expect((await command(db(), ["kinds", "set", document])).text).toContain(`Kind 'hats': ${likeHats}`);
  expect(await names()).toEqual([...FOUR, "Hats"]);
  expect((await add("Straw hats")).text).toContain("Straw hats is added");
});

test.each([
  [{ name: "" }, "Give it a name"],
  [{ name: "x".repeat(41) }, "At most 40 letters"],
  [{ name: "衣装" }, "Another one, with letters from a to z, or digits"],
  [{ name: "All" }, "Another one, with letters from a to z, or digits"],
  [{ name: "Hats", address: "Tees" }, "The kind “Tees” has this address"],
  [{ name: "TEES", address: "hats" }, "Another kind is called Tees"],
  [{ name: "T-Shirts" }, "Too much like the kind “Tees” at /collections/tees"],
  [{ name: "Hoodies", address: "tee" }, "Too much like the kind “Tees” at /collections/tees"],
  [{ name: "Caps, hats" }, "No comma and no “>”: in tables and feeds they stand between kinds"],
  [{ name: "Tops > Tees" }, "No comma and no “>”"],
])("%j is refused beside its field, and nothing typed is lost", async (form, problem) => {
  const refused = await add(form.name, "address" in form ? form.address : "");
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(problem);
  expect(refused.fields.findLast(({ name }) => name === "name")?.value ?? "").toBe(form.name);
  expect(await names()).toEqual(FOUR);
});

test("who may not change the catalogue sees the kinds, and no forms", async () => {
  const reader = await staffWithPasskey(db(), "reader");
  const shown = await ask("/kinds", reader.cookies);
  expect(shown.text).toContain("Accessories");
  expect(shown.forms.filter(({ action }) => action.startsWith("/kinds"))).toEqual([]);
  expect((await ask("/kinds", reader.cookies, { intent: "add", name: "Hats", address: "" })).status).toBe(403);
});

test("what 'kinds show' prints is read by 'kinds set', which adds, renames and moves", async () => {
  const set = (content: unknown) => command(db(), ["kinds", "set", file("kinds.json", JSON.stringify(content))]);
  const { data } = await command(db(), ["kinds", "show"]);
  expect(data).toEqual(FOUR.map((name, at) => ({ id: name.toLowerCase(), name, place: at + 1 })));
  expect(await set(data)).toMatchObject({ code: 0 });
  expect(await set([{ id: "caps", name: "Caps", place: 1 }])).toMatchObject({ code: 0, text: "Set: caps" });
  expect(await set({ id: "tees", name: "T-shirts" })).toMatchObject({ code: 0 });
  expect((await command(db(), ["kinds", "list"])).text.split("\n")).toEqual([
    "caps  Caps  0 products",
    "jerseys  Jerseys  0 products",
    "tees  T-shirts  0 products",
    "prints  Prints  0 products",
    "accessories  Accessories  0 products",
  ]);
  expect(await set({ id: "hats", name: "Caps" })).toMatchObject({
    code: 2,
    text: "Kind 'hats': Another kind is called Caps",
  });
  expect(await command(db(), ["kinds", "remove", "caps", "--yes"])).toMatchObject({
    code: 0,
    data: { removed: "caps" },
  });
  expect(await command(db(), ["kinds", "remove", "caps", "--yes"])).toMatchObject({
    code: 2,
    text: "There’s no kind 'caps'",
  });
});

test("each change of the kinds has a row in the audit log", async () => {
  const since = await db().selectFrom("auditLog").select(sql<string>`max(id)`.as("id")).executeTakeFirstOrThrow();
  await addKind(db(), OWNER, { id: "caps", name: "Caps" });
  await addKind(db(), OWNER, { id: "caps", name: "Caps" });
  await renameKind(db(), OWNER, { id: "caps", name: "Hats", was: "Caps" });
  await moveKind(db(), OWNER, "caps", "tees");
  await press("remove", { kind: "caps" });
  const rows = await db()
    .selectFrom("auditLog")
    .select(["action", "before", "after"])
    .where("subjectKind", "=", "kind")
    .where("id", ">", since.id)
    .orderBy("id")
    .execute();
  expect(rows).toEqual([
    { action: "kinds add", before: null, after: { name: "Caps" } },
    { action: "kinds rename", before: { name: "Caps" }, after: { name: "Hats" } },
    { action: "kinds move", before: null, after: { place: 2 } },
    { action: "kinds remove", before: { name: "Hats" }, after: null },
  ]);
});
