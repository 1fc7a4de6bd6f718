import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { productDocuments } from "#app/catalog/documents/product.server.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import { env } from "#app/infra/env.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { setStock } from "#tests/support/shop.ts";
import { previewImport } from "./product-import.server.ts";
import { COLUMN_WORDS, COLUMNS, productTable, readProductTable, tableTemplate } from "./product-table.server.ts";
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
      { line: 4, id: "fresh", column: "title", cell: undefined, reason: expect.stringContaining("title is missing") },
    ]);
    expect(await audits()).toEqual(before);
  });

  test("finds ten planted mistakes by line and column, and what can be imported without them", async () => {
    await imported(START);
    const text = [
      "id,title,price,kinds,finalSale,images,fabric,M,S,note",
      "good-one,Good,30,tees,yes,,,4,,x", // 2
      "bad id,Bad,30,,,,,,,", // 3
      ",Nameless,30,,,,,,,", // 4
      "no-title,,30,,,,,,,", // 5
      "no-price,Priceless,,,,,,,,", // 6
      '"wrong-price","Two\nlines",30.999,,,,,,,', // 7 and 8
      "wrong-kind,Kind,30,hats,,,,,,", // 9
      "wrong-mark,Mark,30,,maybe,,,,,", // 10
      "wrong-stock,Stock,30,,,,,many,,", // 11
      "picture,Picture,30,,,tee.jpg,,,,", // 12
      "twice,One,30,,,,,,,", // 13
      "twice,Two,30,,,,,,,", // 14
      "too,many,30,,,,,,,,,cells", // 15
      "good-two,Good,31,,,,,,2,", // 16
    ].join("\r\n");
    const { plan, problems, badRows, ignored } = await preview(text);
    expect(problems.map(({ line, column, cell }) => [line, column, cell])).toEqual([
      [3, "id", "A3"],
      [4, "id", "A4"],
      [5, "title", "B5"],
      [6, "price", "C6"],
      [7, "price", "C7"],
      [9, "kinds", "D9"],
      [10, "finalSale", "E10"],
      [11, "M", "H11"],
      [12, "images", "F12"],
      [13, "id", "A13"],
      [14, "id", "A14"],
      [15, undefined, undefined],
    ]);
    expect([badRows, ignored]).toEqual([12, ["note"]]);
    expect(plan.created.map(({ id }) => id)).toEqual(["good-one", "good-two"]);
    for (const { reason } of problems) expect(reason).toMatch(/^[^{}]{5,200}$/);
  });

  test.each([
    ["", "there are no rows"],
    ["title,price\nx,1", "id is not among them"],
    ["id,price,Price\nx,1,2", "two columns are called price"],
    ['id,title\nx,"open', "a quotation mark"],
  ])("of what is no table (%j) says so", async (text, says) => {
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

  test("asks about a stock that grows out of proportion, and about nothing that is filled up", async () => {
    await imported(`${START}cap,Cap,Green,20,jerseys,no,12,0\n`);
    const { plan } = await preview("id,M,L\ncap,1200,200\n", true);
    expect(plan.doubts).toEqual([expect.stringContaining("cap M: 12 -> 1200 in stock")]);
  });

  test("of very many is one transaction that tells how far it is", async () => {
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

test("what was exported comes back as it was, its pictures too", async () => {
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

test("what a spreadsheet would carry out is text in the export, and comes back as it was", async () => {
  const title = '=HYPERLINK(""http://evil.example"")';
  await imported(`id,title,price,description\nrisky,"${title}",40,"+1\nand more"\n`);
  const table = productTable(await productDocuments(db(), () => ""));
  expect(table).toContain(`"'${title}"`);
  expect(table).toContain('"\'+1\nand more"');
  const { plan, problems } = await preview(table, true);
  expect([problems, plan.unchanged]).toEqual([[], ["risky"]]);
});

test("the template can be imported, and says something of each column", async () => {
  expect((await preview(tableTemplate())).problems).toEqual([]);
  expect(Object.keys(COLUMN_WORDS).sort()).toEqual([...COLUMNS].sort());
});

test("a line is counted as an editor counts it: a cell may have several, and empty ones count", () => {
  const { rows } = readProductTable('id,description\na,"one\ntwo\r\nthree"\n\n\nb,x\n');
  expect(rows.map(({ line }) => line)).toEqual([2, 7]);
});
