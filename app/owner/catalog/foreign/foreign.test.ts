import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { productDocuments } from "#app/catalog/documents/product.server.ts";
import { fileText } from "#app/infra/document/file-text.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { previewImport } from "../product-import.server.ts";
import { readProductTable, tableTemplate } from "../product-table.server.ts";
import { importProducts } from "../products.server.ts";
import { type FileCurrency, readCurrency } from "./currency.ts";
import { FOREIGN_SHOPS, type ForeignShop, foreignTable } from "./foreign.ts";
import { htmlOfText, textOfHtml } from "./html.ts";

const database = useDatabase();
const db = () => database.db();
const ADA = { name: "ada@example.com", door: "office" } as const;
const DOLLARS: FileCurrency = { currency: "USD" };
const naira = readCurrency("NGN", "1600") as FileCurrency;

afterEach(() => sql`truncate products, audit_log cascade`.execute(db()));

function textOf(name: string): string {
  const read = fileText(readFileSync(path.join("tests/fixtures/product-files", name)));
  return "text" in read ? read.text : read.problem;
}
function read(name: string, currency = DOLLARS) {
  const { rows, problems, ignored, foreign } = readProductTable(textOf(name), currency);
  const place = ({ row, column, reason }: { row: number; column?: string; reason: string }) => [row, column, reason];
  return {
    shop: foreign?.shop,
    documents: rows.map(({ document }) => JSON.parse(JSON.stringify(document))),
    problems: problems.map(place),
    leftOut: foreign?.leftOut.map(place),
    ignored,
  };
}
const says = (text: string) => expect.stringContaining(text);

describe("Shopify", () => {
  const picture = (name: string) => `https://pictures.example/${name}.jpg`;

  test("a product is read in its colours, with sizes, stock, prices and pictures; unusable values are named", () => {
    expect(read("shopify.csv")).toEqual({
      shop: "Shopify",
      documents: [
        {
          id: "linen-shirt-sand",
          title: "Linen Shirt",
          color: "Sand",
          description: "Soft linen.\n\n * Made in Aba",
          price: "49.99",
          kinds: ["tees"],
          images: [picture("sand"), picture("both")],
          details: { weightGrams: "200" },
          sizes: { S: 4, XXL: 0 },
        },
        {
          id: "linen-shirt-indigo",
          title: "Linen Shirt",
          color: "Indigo",
          description: "Soft linen.\n\n * Made in Aba",
          price: "52.00",
          kinds: ["tees"],
          images: [picture("indigo"), picture("both")],
          details: { weightGrams: "200" },
          sizes: { M: 3 },
        },
        {
          id: "cap",
          title: "Cap",
          description: "A cap & more",
          price: "15.00",
          hidden: true,
          details: { weightGrams: "200" },
          sizes: { ONE: 7 },
        },
      ],
      problems: [],
      leftOut: [
        [2, "Variant Compare At Price", says("the price before the sale, 59.99, isn’t taken")],
        [2, "Tags", says("no kind here: summer")],
        [3, "Option2 Value", says("the size XS isn’t sold here")],
        [4, "Variant Inventory Qty", says("-2 pieces are owed")],
        [6, "Variant Price", says("the size L is left out: it costs $54.00")],
        [7, "Type", says("no kind here: Hats")],
        [8, "Gift Card", says("it is a gift card")],
      ],
      ignored: expect.arrayContaining(["Vendor", "Variant SKU", "Image Alt Text"]),
    });
  });

  test("the template of 2024 is read, and naira are converted to dollars and cents", () => {
    expect(read("shopify-2024.csv", naira)).toMatchObject({
      documents: [
        { id: "ankara-tee", description: "First line\nSecond line", price: "7.72", sizes: { S: 10, L: 0 } },
        { id: "owanbe-scarf", color: "Green", price: "50.00", hidden: true, sizes: { ONE: 3 } },
      ],
      problems: [
        [5, "Price", says("'12.345' isn’t a price in naira")],
        [6, "URL handle", says("the handle is missing")],
      ],
      leftOut: [
        [2, "Option2 value", says("Material: Cotton isn’t taken")],
        [3, "Option2 value", says("Material: Cotton isn’t taken")],
        [3, "Inventory quantity", says("the pieces aren’t counted")],
        [4, "Option2 value", says("Material: Silk isn’t taken")],
        [4, "Option1 value", says("the size S is there twice")],
      ],
    });
  });

  test("semicolons, decimal commas and Windows-1252 are read", () => {
    expect(read("shopify-windows.csv")).toMatchObject({
      documents: [
        {
          id: "robe-ete",
          title: "Robe d’été",
          description: "Légère.\nDès 49 €.",
          price: "49.99",
          sizes: { M: 3, L: 2 },
        },
        { id: "casquette", description: "Une taille;\nune couleur", price: "15.50", sizes: { ONE: 4 } },
      ],
      problems: [],
      leftOut: [[4, "Option1 Value", says("the size 42 isn’t sold here")]],
      ignored: [],
    });
  });

  test("what customs ask for is read, of the first size that has it; a weight of 0 is none", () => {
    const head = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Grams,HS Code,COO";
    const text = [head, "tee,Tee,Size,S,9,0,6109.10,", "tee,,,M,9,180.0,,NG", "cap,Cap,,,9,0.0,65,"].join("\n");
    const { rows } = readProductTable(text, DOLLARS);
    expect(rows.map(({ document }) => document.details)).toEqual([
      { weightGrams: "180.0", hsCode: "6109.10", originCountry: "NG" },
      { hsCode: "65" },
    ]);
    expect(rows[1]?.places?.["details.hsCode"]).toMatchObject({ row: 4, column: "HS Code" });
  });

  test("without a column of stock, new sizes start with 0, which is reported once", () => {
    const text = "Handle,Title,Option1 Name,Option1 Value,Variant Price\ntee,Tee,Size,S,9\ntee,,,M,9\n";
    const { rows, foreign } = readProductTable(text, DOLLARS);
    expect(rows.map(({ document }) => document.sizes)).toEqual([{ S: 0, M: 0 }]);
    expect(foreign?.leftOut).toEqual([{ row: 1, reason: says("no column has the stock") }]);
  });

  test("a colour keeps its id when none of another colour's sizes is sold here", () => {
    const text =
      "Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Price\ntee,Tee,Color,Red,Size,S,9\n";
    const { rows } = readProductTable(`${text}tee,,,Blue,,XS,9\n`, DOLLARS);
    expect(rows.map(({ document }) => document.id)).toEqual(["tee-red"]);
  });

  test("a colour keeps its id when the file has more or fewer colours", async () => {
    const imported = async (...colors: string[]) => {
      const rows = colors.map((color, at) => `tee,${at === 0 ? "Tee,Color" : ","},${color},9,5`);
      const text = ["Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty", ...rows].join("\n");
      const { products, plan } = await previewImport(db(), text, { withStock: false, currency: DOLLARS });
      await importProducts(db(), ADA, products, { withStock: false, agreed: [], seen: plan });
      return [plan.created.map(({ id }) => id), plan.changed, plan.unchanged];
    };
    expect(await imported("Sand")).toEqual([["tee"], [], []]);
    expect(await imported("Indigo", "Sand")).toEqual([["tee-indigo"], [], ["tee"]]);
    expect(await imported("Indigo")).toEqual([[], [], ["tee-indigo"]]);
  });

  test("a 0 without a tracker is no stock, and products that aren't sent are left out", () => {
    const head =
      "Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Qty,Variant Requires Shipping\n";
    expect(
      readProductTable(`${head}tee,Tee,9,,0,TRUE\ncap,Cap,9,shopify,0,\npdf,Pdf,9,,0,FALSE\n`, DOLLARS),
    ).toMatchObject({
      rows: [{ uncounted: ["ONE"] }, { uncounted: [] }],
      foreign: {
        leftOut: [
          { row: 2, column: "Variant Inventory Qty" },
          { row: 4, column: "Variant Requires Shipping" },
          { row: 4, column: "Handle", reason: says("the whole product is left out") },
        ],
      },
    });
  });

  test("stock that isn't counted there stays unchanged here, also by an import with stock", async () => {
    const text = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty\n";
    const options = { withStock: true, currency: DOLLARS };
    const first = await previewImport(db(), `${text}tee,Tee,Size,S,9,5\ntee,,,M,9,5\n`, options);
    await importProducts(db(), ADA, first.products, { withStock: true, agreed: [], seen: first.plan });
    const { plan } = await previewImport(db(), `${text}tee,Tee,Size,S,9,\ntee,,,M,9,-3\ntee,,,L,9,\n`, options);
    expect(plan.changed).toMatchObject([{ id: "tee", before: { sizes: { M: 5 } }, after: { sizes: { M: 0, L: 0 } } }]);
    expect(plan.changed[0]?.after.sizes).not.toHaveProperty("S");
  });
});

describe("WooCommerce", () => {
  test("a variable product is read in its colours; unusable values are named", () => {
    const description = "A tee.\n\nCotton.\n\nWashed.";
    expect(read("woocommerce-variable.csv")).toMatchObject({
      shop: "WooCommerce",
      documents: [
        {
          id: "tee-blue",
          title: "V-Neck Tee",
          color: "Blue",
          description,
          price: "20.00",
          kinds: ["tees"],
          images: ["https://pictures.example/a.jpg", "https://pictures.example/b.jpg"],
          sizes: { S: 4, M: 0 },
        },
        { id: "tee-red", price: "22.00", images: ["https://pictures.example/b.jpg"], sizes: { L: 2 } },
      ],
      problems: [],
      leftOut: [
        [2, "Attribute 3 value(s)", says("Fit: Slim isn’t taken")],
        [2, "Categories", says("no kind here: Uncategorized")],
        [3, "Regular price", says("the price before the sale, 25.50, isn’t taken")],
        [4, "Stock", says("the pieces aren’t counted")],
        [5, "Attribute 2 value(s)", says("it is for any Size")],
        [6, "Sale price", says("the sale price for some days, 18, isn’t taken")],
        [7, "Attribute 2 value(s)", says("the size 3XL isn’t sold here")],
        [8, "Published", says("it is switched off")],
      ],
    });
  });

  test("simple products are read, drafts are hidden, and products that aren't sent are left out", () => {
    expect(read("woocommerce-simple.csv")).toMatchObject({
      documents: [
        { id: "cap", color: "Black", price: "15.00", kinds: ["accessories"], sizes: { ONE: 5 } },
        { id: "beach-bag", price: "12.50", hidden: true, sizes: { ONE: 0 } },
        { id: "mug", description: "Holds 0.3 l", sizes: { ONE: 0 } },
      ],
      problems: [],
      leftOut: [
        [4, "Type", says("can’t be sent as a parcel")],
        [4, "Name", says("the whole product is left out")],
        [5, "Type", says("products of the type grouped aren’t sold here")],
        [6, "Stock", says("the pieces aren’t counted")],
      ],
    });
  });

  test("each mistake is reported with its cell, and the rest can be imported", async () => {
    const text = textOf("woocommerce-broken.csv");
    const { problems, plan, badRows } = await previewImport(db(), text, { withStock: false, currency: DOLLARS });
    expect(problems.map(({ row, column, cell, reason }) => [row, column, cell, reason])).toEqual([
      [2, "Name", "D2", says("nothing to make an id from")],
      [3, "Parent", "H3", says("the parent isn’t in this file")],
      [4, "Regular price", "G4", says("'free' isn’t a price in dollars")],
      [5, "Stock", "F5", says("isn’t a whole number of pieces")],
      [6, "SKU", "C6", says("no product can be called")],
      [7, "Name", "D7", says("title is missing")],
    ]);
    expect([badRows, plan.created.map(({ id, after }) => [id, after.price, after.sizes])]).toEqual([
      6,
      [["good", 10, { ONE: 6 }]],
    ]);
  });
});

test("a file of another shop is asked for its currency; a table of this shop is not", async () => {
  expect(readProductTable(textOf("shopify.csv"))).toMatchObject({ rows: [], foreign: { shop: "Shopify", asks: true } });
  expect(readProductTable(tableTemplate()).foreign).toBeUndefined();
  expect(readProductTable("id,title,handle,price\nx,X,y,1\n").foreign).toBeUndefined();
  expect(readCurrency("EUR", undefined)).toEqual({ problems: { currency: says("Choose dollars") } });
  for (const rate of ["0", "0.00065"])
    expect(readCurrency("NGN", rate)).toEqual({ problems: { rate: says("Give the naira") } });
});

test("a file with the same column twice is refused", () => {
  const { problems, rows } = readProductTable("Handle,Title,Price,Variant Price\nx,X,1,2\n", DOLLARS);
  expect([problems, rows]).toEqual([[{ row: 1, column: "Variant Price", reason: says("two columns") }], []]);
});

test.each(["Two\nlines", "Two\n\nparagraphs", "a < b & c > d &amp;", "1. First\n2. Second"])(
  "%j is the same text after HTML",
  (text) => expect(textOfHtml(htmlOfText(text))).toBe(text),
);

test("HTML becomes lines, and a huge colspan does not slow that down", () => {
  const table =
    "<h2>Care</h2><table><tr><th>Size</th><td>M</td></tr></table><p>See <a href='https://x.example'>it</a></p>";
  expect(textOfHtml(table)).toBe("Care\n\nSize M\n\nSee it");
  expect(textOfHtml('<table><tr><td colspan="100000000" rowspan="1000">x</td></tr></table>')).toBe("x");
  expect(textOfHtml(`${"<b>".repeat(100_000)}x`)).toBe("...");
});

describe.each(Object.keys(FOREIGN_SHOPS) as ForeignShop[])("moving out to %s", (shop) => {
  const exported = async () => foreignTable(await productDocuments(db(), () => ""), shop, knownKinds());
  const imported = async (text: string, currency?: FileCurrency) => {
    const { products, plan, problems } = await previewImport(db(), text, { withStock: true, currency });
    expect(problems).toEqual([]);
    await importProducts(db(), ADA, products, { withStock: true, agreed: plan.doubts, seen: plan });
  };

  test("and importing that into an empty shop, the export has the same bytes", async () => {
    await imported(
      [
        "id,title,color,description,price,kinds,hidden,S,M,XXL,ONE",
        'home_1,Home Jersey,"Palm, Green","Soft  cotton & more.\n\n=Wash cold\n<30°>",49.9,prints | jerseys,no,3,0,12,',
        "Away,Home Jersey,Cream,,1250,,yes,,5,,",
        "cap,=Cap,,One for all,15,accessories,,,,,7",
        "bag,Bag,Ọ̀sun,,9.05,,,,,,0",
      ].join("\n"),
    );
    const before = await exported();
    expect(before.split("\n").length).toBeGreaterThan(6);
    await sql`truncate products cascade`.execute(db());
    await imported(before, DOLLARS);
    expect(await exported()).toBe(before);
  });

  test("pictures keep their order in export and import, also if there are more than sizes", () => {
    const images = ["a", "b", "c"].map((name) => `https://shop.example/images/${name}/1200.jpg`);
    const bag = { id: "bag", title: "Bag", color: "", description: "", price: 9, kinds: [], images, sizes: { ONE: 1 } };
    const { rows } = readProductTable(
      foreignTable([bag, { ...bag, id: "tee", sizes: { S: 1, M: 2 } }], shop, []),
      DOLLARS,
    );
    expect(rows.map(({ document }) => [document.id, document.images])).toEqual([
      ["bag", images],
      ["tee", images],
    ]);
  });
});
