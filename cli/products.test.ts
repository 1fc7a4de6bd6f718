import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import Papa from "papaparse";
import { afterEach, describe, expect, test } from "vitest";
import { addToCart, getCart } from "#app/cart/cart.server.ts";
import { getProduct, listCards, listColors } from "#app/catalog/catalog.server.ts";
import { sitemap } from "#app/catalog/sitemap.server.ts";
import { listOrders } from "#app/orders/history.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { loader as productsDoor } from "#app/routes/api.products.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { makeShopper } from "#tests/support/shop.ts";

const { db, provider, pay, open } = useCheckout();
const say = (line: string) => command(db(), line.split(" "));
const folder = mkdtempSync(path.join(tmpdir(), "irepo-products-"));
function file(name: string, content: unknown): string {
  const at = path.join(folder, name);
  writeFileSync(at, typeof content === "string" ? content : JSON.stringify(content));
  return at;
}
const jersey = { id: "jersey", title: "Jersey", color: "Red", description: "Warm", price: 40, sizes: { M: 5, L: 5 } };

const products = async () =>
  (await say("products export")).data as { id: string; price: number; sizes: Record<string, number> }[];
const theJersey = async () => (await products()).find(({ id }) => id === jersey.id);
const audited = async () => (await db().selectFrom("auditLog").select("action").execute()).map(({ action }) => action);

async function sellOne(): Promise<string> {
  const { reference } = await open(await makeShopper(db(), { productId: jersey.id, size: "M" }));
  provider.pay(reference);
  await settlePayment(reference);
  return reference;
}

afterEach(async () => {
  await sql`truncate users, orders, products, audit_log cascade`.execute(db());
  provider.reset();
});

/**
 * Exports a table of products. Returns a function that writes a copy with changed rows and returns its file: the test
 * sells something between the export and the import.
 */
async function editedTable(change: (row: Record<string, string>) => Record<string, string>) {
  await say(`products import ${file("start.json", [jersey])}`);
  const table = path.join(folder, "table.csv");
  await say(`products export ${table}`);
  const { data } = Papa.parse<Record<string, string>>(readFileSync(table, "utf8").replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: "greedy",
  });
  return () => file("edited.csv", Papa.unparse(data.map(change)));
}

describe("export, sell, edit, import", () => {
  test("pieces sold meanwhile stay sold: the import leaves the stock alone, and says so", async () => {
    const edited = await editedTable((row) => ({ ...row, price: "45" }));
    await sellOne();
    const { code, data, text } = await say(`products import ${edited()}`);
    expect([code, data]).toMatchObject([0, { leftAlone: ["jersey M: 5 in the file, 4 in stock"] }]);
    expect(text).toContain("--with-stock");
    expect(await theJersey()).toMatchObject({ price: 45, sizes: { M: 4, L: 5 } });
  });

  test("with stock, a file that is older than the last change of the stock is asked about", async () => {
    const edited = await editedTable((row) => ({ ...row, L: "9" }));
    await sellOne();
    const { code, text } = await say(`products import ${edited()} --with-stock`);
    expect(code).toBe(2);
    expect(text).toContain("jersey M: 4 now and 5 in the file, which was exported before the last change");
    expect(await theJersey()).toMatchObject({ sizes: { M: 4, L: 5 } });
    expect(await say(`products import ${edited()} --with-stock --yes`)).toMatchObject({ code: 0 });
    expect(await theJersey()).toMatchObject({ sizes: { M: 5, L: 9 } });
  });

  test("with stock, a file that is not older is imported without a question", async () => {
    const edited = await editedTable((row) => ({ ...row, L: "9" }));
    expect(await say(`products import ${edited()} --with-stock`)).toMatchObject({ code: 0 });
    expect(await theJersey()).toMatchObject({ sizes: { M: 5, L: 9 } });
  });

  test("exported JSON has the time of the export in each document, and can be imported unchanged", async () => {
    await say(`products import ${file("start.json", [jersey])}`);
    const at = file("back.json", await products());
    expect(await products()).toMatchObject([{ exportedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect((await say(`products import ${at} --with-stock`)).data).toMatchObject({
      created: [],
      changed: [],
      unchanged: ["jersey"],
      ignored: [],
    });
  });

  test("a new size of a product begins with the stock in the file", async () => {
    await say(`products import ${file("start.json", [jersey])}`);
    await say(`products import ${file("more.csv", "id,M,XL\njersey,9,7\n")}`);
    expect(await theJersey()).toMatchObject({ sizes: { M: 5, L: 5, XL: 7 } });
  });
});

describe("products import --dry-run", () => {
  test("shows new products, changes by field and unchanged products, and changes nothing", async () => {
    await say(`products import ${file("start.json", [jersey, { ...jersey, id: "same" }])}`);
    const before = await products();
    const given = [
      { id: "jersey", price: 45, color: "Red", title: "Jersey II", sizes: { M: 3 } },
      { id: "same", title: "Jersey" },
      { ...jersey, id: "fresh" },
    ];
    const at = file("given.json", given);
    const known = await audited();
    const { code, data, text } = await say(`products import ${at} --with-stock --dry-run`);
    expect(code).toBe(0);
    const plan = {
      created: [{ id: "fresh", after: { title: "Jersey", price: 40, sizes: { M: 5, L: 5 } } }],
      changed: [
        {
          id: "jersey",
          before: { title: "Jersey", price: 40, sizes: { M: 5 } },
          after: { title: "Jersey II", price: 45, sizes: { M: 3 } },
        },
      ],
      unchanged: ["same"],
    };
    expect(data).toMatchObject({ dryRun: true, ...plan });
    for (const line of ["new        fresh", 'title: "Jersey" -> "Jersey II"', "price: 40 -> 45", "stock M: 5 -> 3"])
      expect(text).toContain(line);
    expect((await products()).map(({ sizes, price }) => [sizes, price])).toEqual(
      before.map(({ sizes, price }) => [sizes, price]),
    );
    expect(await audited()).toEqual(known);
    expect((await say(`products import ${at} --with-stock`)).data, "the import does what was shown").toMatchObject(
      plan,
    );
  });

  test("shows the questions that an import would ask", async () => {
    const at = file("dear.json", [{ ...jersey, price: 25_000 }]);
    expect((await say(`products import ${at} --dry-run`)).text).toContain("$25,000.00, more than $2,000.00");
  });
});

describe("products import", () => {
  test("unknown columns and fields are named", async () => {
    const table = file("t.csv", "id,title,price,Stock level,colour,quantity\ncap,Cap,12,4,Red,9\n");
    const { data, text } = await say(`products import ${table}`);
    expect(data).toMatchObject({ imported: 1, ignored: ["Stock level", "colour", "quantity"] });
    expect(text).toContain("Stock level, colour, quantity");
    const documents = file("d.json", [{ ...jersey, brand: "Irepo" }]);
    expect((await say(`products import ${documents}`)).data).toMatchObject({ ignored: ["brand"] });
  });

  test("a change needs only the id and the changed fields; all others stay", async () => {
    await say(`products import ${file("start.json", [jersey])}`);
    expect(await say(`products import ${file("p.csv", "id,price\njersey,45\n")}`)).toMatchObject({ code: 0 });
    expect(await theJersey()).toMatchObject({ ...jersey, price: 45 });
    expect(await say(`products import ${file("t.csv", "id,title,price\njersey,Shirt,\n")}`)).toMatchObject({ code: 0 });
    expect(await theJersey()).toMatchObject({ ...jersey, title: "Shirt", price: 45 });
  });

  const fields = {
    kinds: ["jerseys", "prints"],
    finalSale: true,
    details: {
      fabric: "180 g/m² recycled polyester",
      origin: "After the wax prints of Balogun market",
      weightGrams: 230,
      hsCode: "610910",
      originCountry: "NG",
    },
  };

  test("kinds, final sale and details are the same after an export and import as documents or table, and reach shoppers", async () => {
    await say(`products import ${file("start.json", [{ ...jersey, ...fields }])}`);
    expect(await getProduct(db(), "jersey")).toMatchObject(fields);
    const answer = await productsDoor({ request: new Request("http://shop.example/api/products") });
    expect(await answer.json()).toMatchObject([fields]);
    const table = path.join(folder, "fields.csv");
    await say(`products export ${table}`);
    const back = file("fields.json", await products());
    for (const from of [table, back]) {
      expect((await say(`products import ${from}`)).data).toMatchObject({ unchanged: ["jersey"], ignored: [] });
      await sql`truncate products cascade`.execute(db());
      expect(await say(`products import ${from}`)).toMatchObject({ code: 0 });
      expect(await getProduct(db(), "jersey")).toMatchObject(fields);
    }
  });

  test("a detail can be changed alone, and an empty cell removes it", async () => {
    await say(`products import ${file("start.json", [{ ...jersey, ...fields }])}`);
    const head = "id,fit,origin,finalSale,weightGrams,HS Code,Origin country";
    const { text } = await say(`products import ${file("d.csv", `${head}\njersey,Straight,,no,,6109.90,Ghana\n`)}`);
    expect(text).toContain('fit: "" -> "Straight"');
    expect(text).toContain('origin: "After the wax prints of Balogun market" -> ""');
    expect(await getProduct(db(), "jersey")).toMatchObject({
      kinds: fields.kinds,
      finalSale: false,
      details: { fabric: fields.details.fabric, fit: "Straight", hsCode: "610990", originCountry: "GH" },
    });
  });

  test.each([
    ["kinds", "shirts", "kinds.0: kinds are jerseys, tees, prints, accessories"],
    ["finalSale", "perhaps", "finalSale: is true or false, in a table yes or no"],
    ["care", "x".repeat(501), "details.care: has more than 500 letters"],
    ["weightGrams", "heavy", "details.weightGrams: 'heavy' isn’t a whole number"],
  ])("an invalid cell of %s is named, and nothing is imported", async (column, cell, says) => {
    const { code, text } = await say(`products import ${file("w.csv", `id,title,price,${column}\nx,X,9,${cell}\n`)}`);
    expect([code, text]).toEqual([2, `Nothing was imported.\nproduct 1 (x), ${says}`]);
  });

  test("two columns of one name are refused, and columns without a name are ignored", async () => {
    const twice = await say(`products import ${file("t.csv", "id,title,price,price\ncap,Cap,12,15\n")}`);
    expect([twice.code, twice.text]).toEqual([2, expect.stringContaining("row 1: two columns are named price")]);
    const empty = await say(`products import ${file("e.csv", "id,title,price,,\ncap,Cap,12,,\n")}`);
    expect(empty).toMatchObject({ code: 0, data: { imported: 1, ignored: [] } });
    const filled = await say(`products import ${file("f.csv", "id,title,price,,\ncap,Cap,12,,9\n")}`);
    expect(filled).toMatchObject({ code: 0, data: { ignored: ["column E, which has no name"] } });
  });

  test.each([
    ["Windows-1252", (text: string) => Buffer.from(text, "latin1")],
    ["UTF-16 with a mark", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["UTF-16 without one", (text: string) => Buffer.from(text, "utf16le")],
  ])("22 a table in %s is decoded, with the separator that its first line names", async (_, encoded) => {
    const at = path.join(folder, "windows.csv");
    writeFileSync(at, encoded("sep=;\r\nid;title;price;M\r\ncafe;Adé’s Café;$49,99;1,250\r\n".replace("’", "'")));
    expect(await say(`products import ${at} --yes`)).toMatchObject({ code: 0 });
    expect(await products()).toMatchObject([{ title: "Adé's Café", price: 49.99, sizes: { M: 1250 } }]);
  });

  test("22 a workbook is refused with advice", async () => {
    const at = path.join(folder, "book.csv");
    writeFileSync(at, Buffer.from("PK\x03\x04\x14\0\x06\0", "latin1"));
    expect((await say(`products import ${at}`)).text).toContain("is a workbook: in the spreadsheet save it as CSV");
  });

  test.each(["0x10", "1e3", "+5", "1.250,00"])("22 %s is no number of pieces", async (cell) => {
    const { code, text } = await say(`products import ${file("n.csv", `id;title;price;M\nx;X;9;${cell}\n`)}`);
    expect([code, text]).toEqual([2, expect.stringContaining("sizes.M: isn’t a whole number of pieces")]);
  });

  test("22 an exported table begins with the byte order mark by which spreadsheets recognize UTF-8", async () => {
    await say(`products import ${file("start.json", [{ ...jersey, title: "Aṣọ òkè" }])}`);
    const table = path.join(folder, "marked.csv");
    await say(`products export ${table}`);
    expect(readFileSync(table, "utf8")).toMatch(/^\uFEFFid,title.*\r\njersey,Aṣọ òkè,/);
    expect((await say("subscribers export")).text).toMatch(/^\uFEFF/);
    expect((await say("customers export")).text).toMatch(/^\uFEFFuid,email,/);
  });

  test("25 two products with one id have all their mistakes named at once", async () => {
    const table = "id,title,price,images\nx,X,9,\nx,,free,tee.jpg\n";
    const { code, text } = await say(`products import ${file("twice.csv", table)}`);
    expect([code, text.split("\n").sort()]).toEqual([
      2,
      [
        "Nothing was imported.",
        "product 2 (x), images: tee.jpg: is not in the folder of the import",
        "product 2 (x), price: 'free' isn’t a price in dollars, like 49.99",
        "product 2 (x): the id is there twice",
        "x is new: its title is missing",
      ],
    ]);
  });

  test("an unknown detail is named", async () => {
    const { text } = await say(`products import ${file("w.json", [{ ...jersey, details: { fabrik: "wool" } }])}`);
    expect(text).toContain("product 1 (jersey), details.fabrik: is not known here");
  });

  test("a new product needs a title and a price; without them nothing is imported", async () => {
    const { code, text } = await say(`products import ${file("new.csv", "id,color\njersey,Red\n")}`);
    expect([code, text]).toEqual([
      2,
      "Nothing was imported.\njersey is new: its title is missing\njersey is new: its price is missing",
    ]);
    expect(await products()).toEqual([]);
  });
});

describe("files of other shops", () => {
  const given = (name: string) => path.resolve("tests/fixtures/product-files", name);

  test("are imported with the given currency, and what is left out is named by row and column", async () => {
    const shopify = given("shopify-windows.csv");
    expect(await say(`products import ${shopify}`)).toMatchObject({
      code: 2,
      text: `${shopify} is a Shopify file: add --currency USD, or --currency NGN --rate with the naira for one dollar`,
    });
    const { code, text, data } = await say(`products import ${shopify} --currency usd`);
    expect([code, data]).toMatchObject([0, { imported: 2, shop: "Shopify", leftOut: [{ row: 4 }] }]);
    expect(text).toContain("This is a Shopify file.");
    expect(text).toContain("row 4, Option1 Value (robe-ete): the size 42 isn’t sold here");
    expect(await products()).toMatchObject([
      { id: "robe-ete", title: "Robe d’été", price: 49.99, sizes: { M: 3, L: 2 } },
      { id: "casquette", price: 15.5, sizes: { ONE: 4 } },
    ]);
    expect(await say(`products import ${given("woocommerce-simple.csv")} --currency NGN --rate 3`)).toMatchObject({
      code: 0,
      data: { shop: "WooCommerce", created: [{ after: { price: 5 } }, { after: { price: 4.17 } }, { id: "mug" }] },
    });
  });

  test("are not imported if they have mistakes, and each mistake is named", async () => {
    const broken = given("woocommerce-broken.csv");
    const { code, text } = await say(`products import ${broken} --currency USD`);
    expect([code, text.split("\n")]).toEqual([2, expect.arrayContaining([expect.stringContaining("row 2, Name: ")])]);
    const table = "Handle,Title,Price,Inventory quantity\ntee,,9,many\n";
    expect((await say(`products import ${file("mistakes.csv", table)} --currency USD`)).text.split("\n")).toEqual([
      "Nothing was imported.",
      "row 2, Inventory quantity (tee): isn’t a whole number of pieces",
      expect.stringMatching(/^row 2, Title \(tee\): .*title is missing/),
    ]);
    expect(await products()).toEqual([]);
  });

  test("need a currency, which tables of this shop cannot have", async () => {
    const own = file("own.csv", "id,title,price\ncap,Cap,12\n");
    for (const wrong of [`${own} --currency USD`, `${given("shopify.csv")} --currency NGN`, `${own} --rate 1600`])
      expect(await say(`products import ${wrong}`)).toMatchObject({ code: 2 });
  });

  test("are exported to a file or to the command's output", async () => {
    await say(`products import ${file("start.json", [jersey])}`);
    const table = path.join(folder, "woo.csv");
    expect(await say(`products export ${table} --for woocommerce`)).toMatchObject({ code: 0, data: { exported: 1 } });
    expect(readFileSync(table, "utf8")).toMatch(/^\uFEFFType,SKU,.*\r\nvariable,jersey,Jersey,1,/);
    expect((await say("products export --for shopify")).text).toMatch(/^\uFEFFHandle,Title,.*\r\njersey,Jersey,/);
    expect(await say("products export --for etsy")).toMatchObject({ code: 2 });
  });
});

describe("products hide", () => {
  const cardIds = async (search?: string) => (await listCards(db(), { search }, 10)).map(({ id }) => id);

  test("a hidden product is in no list, search, sitemap or page, until it is shown again", async () => {
    await say(`products import ${file("start.json", [jersey])}`);
    const seen = async () => ({
      list: await cardIds(),
      search: await cardIds("jersey"),
      colors: await listColors(db()),
      page: (await getProduct(db(), jersey.id))?.id,
      api: (
        (await (await productsDoor({ request: new Request("http://shop.example/api/products") })).json()) as {
          id: string;
        }[]
      ).map(({ id }) => id),
      sitemap: (await sitemap(db(), "https://irepo.example"))?.includes(jersey.id),
    });
    const shown = { list: ["jersey"], search: ["jersey"], colors: ["Red"], page: "jersey", api: ["jersey"] };
    expect(await seen()).toEqual({ ...shown, sitemap: true });
    expect(await say("products hide jersey")).toMatchObject({ code: 0 });
    expect(await seen()).toEqual({ list: [], search: [], colors: [], page: undefined, api: [], sitemap: false });
    expect(await say("products hide jersey"), "said twice").toMatchObject({ code: 2 });
    expect(await say("products show jersey")).toMatchObject({ code: 0 });
    expect(await seen()).toEqual({ ...shown, sitemap: true });
    expect(await say("products hide nothing")).toMatchObject({ code: 2 });
  });

  test("carts say that a hidden product is no longer sold, nobody can buy it, and orders keep it", async () => {
    await say(`products import ${file("start.json", [jersey])}`);
    await sellOne();
    const user = await makeShopper(db(), { productId: jersey.id, size: "M" });
    await say("products hide jersey");
    expect(await getCart(db(), user.id)).toMatchObject({
      lines: [{ title: "Jersey", availableQuantity: 0, changes: ["No longer sold: not in your total."] }],
    });
    expect(await pay(user)).toMatchObject({ ok: false });
    expect(await addToCart(db(), user.id, { id: jersey.id, size: "L", quantity: 1 })).toMatchObject({ ok: false });
    const { userId } = await db().selectFrom("sales").select("userId").executeTakeFirstOrThrow();
    expect(await listOrders(db(), userId ?? "")).toMatchObject([{ lines: [{ title: "Jersey" }] }]);
  });

  test("a hidden product stays hidden after an export and import as a table", async () => {
    await say(`products import ${file("start.json", [jersey])}`);
    await say("products hide jersey");
    const table = path.join(folder, "hidden.csv");
    await say(`products export ${table}`);
    await sql`truncate products cascade`.execute(db());
    expect(await say(`products import ${table}`)).toMatchObject({ code: 0 });
    expect(await cardIds()).toEqual([]);
  });

  test("a table from before a product was hidden does not show it again, but one that says so does", async () => {
    const edited = await editedTable((row) => ({ ...row, price: "45" }));
    await say("products hide jersey");
    expect(await say(`products import ${edited()}`)).toMatchObject({ code: 0 });
    expect(await cardIds()).toEqual([]);
    expect(await say(`products import ${file("h.csv", "id,hidden\njersey,maybe\n")}`)).toMatchObject({ code: 2 });
    expect(await say(`products import ${file("h.csv", "id,hidden\njersey,no\n")}`)).toMatchObject({ code: 0 });
    expect(await cardIds()).toEqual(["jersey"]);
  });
});
