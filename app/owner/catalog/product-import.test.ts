import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { productDocuments } from "#app/catalog/documents/product.server.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import { env } from "#app/infra/env.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { setStock } from "#tests/support/shop.ts";
import { previewImport } from "./product-import.server.ts";
import { COLUMNS, columnWords, productTable, readProductTable, tableTemplate } from "./product-table.server.ts";
import { importProducts } from "./products.server.ts";
import { listStock } from "./stock.server.ts";

const database = useDatabase();
const db = () => database.db();
const ADA = { name: "ada@example.com", door: "office" } as const;
const preview = (text: string, withStock = false) => previewImport(db(), text, { withStock });
const imported = async (text: string, withStock = false) => {
  const { products, plan } = await preview(text, withStock);
  return importProducts(db(), ADA, products, { withStock, agreed: plan.doubts, seen: plan });
};
const audits = () =>
  db().selectFrom("auditLog").select(["subjectId", "actor", "action", "before", "after"]).orderBy("id").execute();

afterEach(() => sql`truncate products, audit_log cascade`.execute(db()));

const START = `id,title,color,price,kinds,finalSale,M,L
home,Home Jersey,Green,49.99,jerseys,no,5,5
away,Away Jersey,Cream,49.99,jerseys,no,3,
`;

describe("a preview", () => {
  test("says what is new, what changes from what to what, and what stays; nothing is written", async () => {
    await imported(START);
    const before = await audits();
    const { plan, problems, rows } = await preview(
      "ID;Price;Color\nhome;54.99;Green\naway;49.99;Cream\nfresh;20;Blue\n",
    );
    expect(plan.changed).toMatchObject([{ id: "home", before: { price: 49.99 }, after: { price: 54.99 } }]);
    expect([plan.unchanged, rows]).toEqual([["away"], 3]);
    expect(problems).toEqual([
      { row: 4, id: "fresh", column: "title", cell: undefined, reason: expect.stringContaining("title is missing") },
    ]);
    expect(await audits()).toEqual(before);
  });

  test("finds ten planted mistakes by row and column, and what can be imported without them", async () => {
    await imported(START);
    const text = [
      "id,title,price,kinds,finalSale,images,fabric,M,S,note",
      "good-one,Good,30,tees,yes,,,4,,x", // 2
      "bad id,Bad,30,,,,,,,", // 3
      ",Nameless,30,,,,,,,", // 4
      "no-title,,30,,,,,,,", // 5
      "no-price,Priceless,,,,,,,,", // 6
      '"wrong-price","Two\nlines",30.999,,,,,,,', // 7, of two lines
      "wrong-kind,Kind,30,hats,,,,,,", // 8
      "wrong-mark,Mark,30,,maybe,,,,,", // 9
      "wrong-stock,Stock,30,,,,,many,,", // 10
      "picture,Picture,30,,,tee.jpg,,,,", // 11
      "twice,One,30,,,,,,,", // 12
      "twice,Two,30,,,,,,,", // 13
      "too,many,30,,,,,,,,,cells", // 14
      "good-two,Good,31,,,,,,2,", // 15
    ].join("\r\n");
    const { plan, problems, badRows, ignored } = await preview(text);
    expect(problems.map(({ row, column, cell }) => [row, column, cell])).toEqual([
      [3, "id", "A3"],
      [4, "id", "A4"],
      [5, "title", "B5"],
      [6, "price", "C6"],
      [7, "price", "C7"],
      [8, "kinds", "D8"],
      [9, "finalSale", "E9"],
      [10, "M", "H10"],
      [11, "images", "F11"],
      [12, "id", "A12"],
      [13, "id", "A13"],
      [14, undefined, undefined],
    ]);
    expect([badRows, ignored]).toEqual([12, ["note"]]);
    expect(plan.created.map(({ id }) => id)).toEqual(["good-one", "good-two"]);
    for (const { reason } of problems) expect(reason).toMatch(/^[^{}]{5,200}$/);
  });

  test("refuses the one size beside those from S to XXL, at its cell: in a row, and beside what the shop has", async () => {
    await imported(`${START}cap,Cap,Black,15,accessories,no,,\n`);
    const { problems, plan } = await preview(
      "id,title,price,M,ONE\nboth,Both,30,4,0\nhome,Home Jersey,49.99,,3\ncap,Cap,15,2,\nbag,Bag,15,,2\ntee,Tee,15,2,\n",
      true,
    );
    const rule = "a product has either ONE or sizes from S to XXL, not both";
    expect(problems.map(({ cell, reason }) => [cell, reason])).toEqual([
      ["E2", rule],
      ["E3", `home ONE: it has L, M already, and ${rule}`],
      ["D4", `cap M: it has ONE already, and ${rule}`],
    ]);
    expect(plan.created.map(({ id }) => id)).toEqual(["bag", "tee"]);
  });

  test.each([
    ["", "there are no rows"],
    ["title,price\nx,1", "id is missing"],
    ["id,price,Price\nx,1,2", "two columns are named price"],
    ['id,title\nx,"open', "a quotation mark"],
  ])("of text that is no table (%j) says why", async (text, says) => {
    const { problems, plan } = await preview(text);
    expect(problems).toMatchObject([{ reason: expect.stringContaining(says) }]);
    expect(plan.created).toEqual([]);
  });

  test("reads no file of this machine", async () => {
    const { problems } = await preview("id,title,price,images\nx,X,1,/etc/hostname | ../package.json");
    expect(problems.map(({ reason }) => reason)).toEqual([
      "/etc/hostname: is no address that begins with https://",
      "../package.json: is no address that begins with https://",
    ]);
  });
});

describe("an import", () => {
  test("writes what was previewed, with a row of the log for each product", async () => {
    await imported(START);
    await imported("id,title,price,fabric,XL\nhome,Home Jersey,60,Cotton,7\nfresh,New Tee,20,,2\n");
    const documents = await productDocuments(db(), () => "");
    expect(documents).toMatchObject([
      {
        id: "home",
        price: 60,
        finalSale: false,
        kinds: ["jerseys"],
        details: { fabric: "Cotton" },
        sizes: { M: 5, L: 5, XL: 7 },
      },
      { id: "away", sizes: { M: 3 } },
      { id: "fresh", price: 20, sizes: { XL: 2 } },
    ]);
    expect((await audits()).slice(2)).toEqual([
      { ...about("fresh"), before: null, after: expect.objectContaining({ title: "New Tee", sizes: { XL: 2 } }) },
      {
        ...about("home"),
        before: { price: 49.99, details: {}, sizes: {} },
        after: { price: 60, details: { fabric: "Cotton" }, sizes: { XL: 7 } },
      },
    ]);
  });
  const about = (subjectId: string) => ({ subjectId, actor: ADA.name, action: "products import" });

  test("is refused whole when something that was previewed has changed since", async () => {
    await imported(START);
    const { products, plan } = await preview("id,price,M\nhome,60,9\naway,70,9\n", true);
    const go = () => importProducts(db(), ADA, products, { withStock: true, agreed: plan.doubts, seen: plan });
    const before = await audits();
    await setStock(db(), "home", "M", 4);
    await expect(go()).rejects.toThrow("nothing was imported.\nhome has been changed.");
    await setStock(db(), "home", "M", 5);
    await db().updateTable("products").set({ priceCents: 6000 }).where("id", "=", "home").execute();
    await expect(go()).rejects.toThrow("home has been changed.");
    expect(await audits()).toEqual(before);
    expect((await listStock(db(), { id: "away" }))[0]?.onHand).toBe(3);
  });

  test("asks about stock that grows out of proportion, but not about a refill", async () => {
    await imported(`${START}cap,Cap,Green,20,jerseys,no,12,0\n`);
    const { plan } = await preview("id,M,L\ncap,1200,200\n", true);
    expect(plan.doubts).toEqual([expect.stringContaining("cap M: 12 -> 1200 in stock")]);
  });

  test("of very many products is one transaction that reports its progress", async () => {
    const rows = Array.from(
      { length: 1200 },
      (_, n) => `p${n},Product ${n},${10 + (n % 7)},${n % 2 ? "yes" : ""},${n},1`,
    );
    const seen: number[] = [];
    const { products, plan } = await preview(`id,title,price,hidden,M,L\n${rows.join("\n")}`);
    await importProducts(db(), ADA, products, {
      withStock: false,
      agreed: plan.doubts,
      seen: plan,
      onProgress: (done) => seen.push(done),
    });
    expect(seen).toEqual([500, 1000, 1200]);
    const { count } = await db()
      .selectFrom("products")
      .select(sql<number>`count(*)::int`.as("count"))
      .executeTakeFirstOrThrow();
    expect([count, (await audits()).length]).toEqual([1200, 1200]);
    expect((await listStock(db(), { id: "p1199" })).map(({ onHand }) => onHand)).toEqual([1, 1199]);
  });
});

test("an export can be imported again and changes nothing, not even pictures", async () => {
  await imported(START);
  const image = { hash: "0123456789abcdef0123", width: 8, height: 10, alt: "Home Jersey", background: "#ffffff" };
  await db()
    .updateTable("products")
    .set({ images: JSON.stringify([image]) })
    .where("id", "=", "home")
    .execute();
  const table = productTable(
    await productDocuments(db(), (one) => env.publicUrl.origin + pictureUrl(one, 1200, "jpg")),
  );
  const { plan, problems } = await preview(`\uFEFF${table}`, true);
  expect([problems, plan.unchanged, plan.changed]).toEqual([[], ["home", "away"], []]);
});

test("each field is in the table, in the document and in the texts about the columns", async () => {
  await imported(
    "id,title,color,description,price,kinds,finalSale,fabric,fit,back,care,origin,weightGrams,hsCode,originCountry,M,ONE\n" +
      "home,Home Jersey,Green,Soft,49.99,prints | jerseys,yes,Cotton,Wide,A number,By hand,Aba,230,6109.10,Nigeria,5,\n",
  );
  const [document] = await productDocuments(db(), () => "");
  const exportedAt = document?.exportedAt;
  expect(productTable(document ? [document] : []).split(/\r?\n/)).toEqual([
    "id,title,color,description,price,finalSale,kinds,fabric,fit,back,care,origin,weightGrams,hsCode,originCountry,S,M,L,XL,XXL,ONE,images,hidden,exportedAt",
    `home,Home Jersey,Green,Soft,49.99,true,jerseys | prints,Cotton,Wide,A number,By hand,Aba,230,610910,NG,,5,,,,,,,${exportedAt}`,
    "",
  ]);
  expect(JSON.stringify(document)).toBe(
    '{"id":"home","title":"Home Jersey","color":"Green","description":"Soft","price":49.99,"kinds":["jerseys","prints"],' +
      '"finalSale":true,"details":{"fit":"Wide","back":"A number","care":"By hand","fabric":"Cotton","hsCode":"610910","origin":"Aba",' +
      '"weightGrams":230,"originCountry":"NG"},' +
      `"images":[],"sizes":{"M":5},"quantity":5,"exportedAt":"${exportedAt}"}`,
  );
  expect(tableTemplate().split(/\r?\n/)).toEqual([
    "id,title,color,description,price,kinds,finalSale,images,hidden,fabric,fit,back,care,origin,weightGrams,hsCode,originCountry,S,M,L,XL,XXL,ONE",
    "lagos-home-jersey,Lagos Home Jersey,Palm Green,A home jersey in soft cotton.,49.99,jerseys,no,,yes,100% cotton,,,,,,,,,10,10,,,",
    "",
  ]);
  expect(columnWords()).toMatchObject({
    finalSale: "yes or no: it can’t be returned; an empty cell changes nothing",
    hidden: "yes or no: not shown and not sold; an empty cell changes nothing",
    care: "a sentence or two; an empty cell removes it",
    hsCode: "hs code, for customs: an HS code of 6 to 10 digits, like 6109.10; an empty cell removes it",
  });
});

test("what a spreadsheet would take for a formula is text in the export, and unchanged after an import", async () => {
  const title = '=HYPERLINK(""http://evil.example"")';
  await imported(`id,title,price,description\nrisky,"${title}",40,"+1\nand more"\n`);
  const table = productTable(await productDocuments(db(), () => ""));
  expect(table).toContain(`"'${title}"`);
  expect(table).toContain('"\'+1\nand more"');
  const { plan, problems } = await preview(table, true);
  expect([problems, plan.unchanged]).toEqual([[], ["risky"]]);
});

test("the template can be imported, and each column has a text about it", async () => {
  expect((await preview(tableTemplate())).problems).toEqual([]);
  expect(Object.keys(columnWords()).sort()).toEqual([...COLUMNS].sort());
});

test("25 a row is counted as a spreadsheet counts it: a cell of several lines makes one, and empty ones count", () => {
  const { rows } = readProductTable('sep=,\nid,description\na,"one\ntwo\r\nthree"\n\n\nb,x\n');
  expect(rows.map(({ row }) => row)).toEqual([2, 5]);
});

test("25 rows that share an id, and rows with a mistake, have all their mistakes named at once", async () => {
  const { problems, plan } = await preview(
    ["id,title,price,M,images", "twice,One,free,1,", "twice,,30,many,tee.jpg", "bad,,0x10,1,", "good,Good,30,1,"].join(
      "\n",
    ),
  );
  expect(problems.map(({ cell }) => cell)).toEqual(["A2", "C2", "A3", "D3", "E3", "B3", "C4", "B4"]);
  expect(problems[0]?.reason).toBe("the id is there 2 times: in the rows 2, 3");
  expect(plan.created.map(({ id }) => id)).toEqual(["good"]);
});
