import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import Papa from "papaparse";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { listOriginals } from "#app/catalog/pictures/originals.server.ts";
import { listOrders } from "#app/orders/history.server.ts";
import { importSale } from "#app/orders/past/import.server.ts";
import { readSaleDocument } from "#app/orders/past/sale.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { loadShippingRates, seedShipping } from "#app/shipping/rates.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { makeShopper, putInCart } from "#tests/support/shop.ts";

const { db, provider, oneBuyer, open, catchUp, refundOf } = useCheckout();
const folder = mkdtempSync(path.join(tmpdir(), "irepo-owner-"));
const file = (name: string, content: string | Buffer) => {
  const at = path.join(folder, name);
  writeFileSync(at, content);
  return at;
};
const run = (line: string) => command(db(), line.split(" "));
const wipe = () =>
  sql`truncate users, orders, products, subscriptions, outbox, webhook_inbox, payment_issues cascade`.execute(db());

// Each test begins with an empty shop, and must leave consistent books.
afterEach(async () => {
  expect(await checkInvariants(db())).toEqual([]);
  await wipe();
  provider.reset();
});

/** A shop with a paid order, a cart and a subscriber. The order and the cart belong to one customer. */
async function busyShop() {
  const { productId, user, payment } = await oneBuyer(5);
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  await putInCart(db(), user.id, productId, "M", 2);
  await db().insertInto("subscriptions").values({ firstName: "Bola", email: "bola@example.com" }).execute();
  return { productId, user, reference: payment.reference };
}

const jersey = { id: "kano-jersey", title: "Kano Jersey", color: "Red", price: 39.5, sizes: { S: 1, M: 2 } };

const sizesOf = async (id: string) => {
  const { data } = await run("products export");
  return (data as { id: string; sizes: object }[]).find((one) => one.id === id)?.sizes;
};

describe("products import", () => {
  const cap = { id: "cap", title: "Cap", color: "Black", description: "Warm", price: 12 };

  test("a new product without sizes has the one size, with its quantity", async () => {
    const given = [cap, { ...cap, id: "scarf", quantity: 4 }];
    expect(await run(`products import ${file("caps.json", JSON.stringify(given))}`)).toMatchObject({ code: 0 });
    expect([await sizesOf("cap"), await sizesOf("scarf")]).toEqual([{ ONE: 0 }, { ONE: 4 }]);
  });

  test.each([
    ["a list", "p.json", JSON.stringify([cap, jersey].map(({ id, title }) => ({ id, title, price: 15 })))],
    ["a table", "p.csv", "id,title,price\ncap,Cap,15\nkano-jersey,Kano Jersey,15\n"],
    ["a table with empty sizes", "p.csv", "id,title,price,S,ONE\ncap,Cap,15,,\nkano-jersey,Kano Jersey,15,,\n"],
  ])("of known products, what %s does not name stays: stock, words and pictures", async (_, name, content) => {
    const picture = { create: { width: 8, height: 10, channels: 3, background: "#aa0000" } } as const;
    file("red.png", await sharp(picture).png().toBuffer());
    const images = ["red.png"];
    const known = [
      { ...cap, images, sizes: { ONE: 9 } },
      { ...jersey, description: "Red", images },
    ];
    await run(`products import ${file("known.json", JSON.stringify(known))}`);
    const before = (await run("products export")).data as object[];
    expect(await run(`products import ${file(name, content)}`)).toMatchObject({ code: 0 });
    const after = (await run("products export")).data;
    expect(after).toEqual(before.map((one) => ({ ...one, price: 15, exportedAt: expect.any(String) })));
  });

  test("what is named empty is empty then; a quantity is that of the one size", async () => {
    await run(`products import ${file("known.json", JSON.stringify([{ ...cap, quantity: 9 }, jersey]))}`);
    const given = [
      { ...cap, description: "", quantity: 7 },
      { ...jersey, sizes: {}, quantity: 7 },
    ];
    expect(await run(`products import ${file("p.json", JSON.stringify(given))} --with-stock`)).toMatchObject({
      code: 0,
    });
    expect((await run("products export")).data).toMatchObject([{ id: "cap", description: "" }, {}]);
    expect([await sizesOf("cap"), await sizesOf(jersey.id)]).toEqual([{ ONE: 7 }, jersey.sizes]);
  });

  test("adds, and changes what is known; with stock, sizes say what lies on the shelf now, whatever was sold", async () => {
    const { productId } = await busyShop();
    const at = file(
      "products.json",
      JSON.stringify([jersey, { ...jersey, id: productId, price: "10", sizes: { M: 7 } }]),
    );
    expect(await run(`products import ${at} --with-stock`)).toMatchObject({ code: 0, data: { imported: 2 } });
    const { data } = await run("products export");
    expect(data).toMatchObject([
      { id: productId, title: "Kano Jersey", price: 10, sizes: { M: 7 }, quantity: 7 },
      { ...jersey, quantity: 3, images: [] },
    ]);
  });

  test("from a table, with pictures beside it, and back into a table", async () => {
    await wipe();
    file(
      "red.png",
      await sharp({ create: { width: 80, height: 100, channels: 3, background: "#aa0000" } })
        .png()
        .toBuffer(),
    );
    const at = file(
      "products.csv",
      '\uFEFFid,title,color,price,S,XL,images\nred-tee,"Tee, red",Red,15.00,3,,red.png\n',
    );
    expect(await run(`products import ${at}`)).toMatchObject({ code: 0 });
    const { data } = await run("products export");
    expect(data).toMatchObject([
      {
        id: "red-tee",
        title: "Tee, red",
        price: 15,
        sizes: { S: 3 },
        images: [expect.stringMatching(/\/images\/[0-9a-f]{20}\/1200\.jpg$/)],
      },
    ]);
    const back = path.join(folder, "back.csv");
    await run(`products export ${back}`);
    expect(Papa.parse(readFileSync(back, "utf8"), { header: true }).data[0]).toMatchObject({
      id: "red-tee",
      S: "3",
      XL: "",
    });
    expect(await run(`products import ${back}`)).toMatchObject({ code: 0 });
  });

  const inJson = (...products: unknown[]) => ({ "p.json": JSON.stringify(products) });
  test.each<[string, Record<string, string>, string]>([
    [
      "no price",
      inJson(jersey, { ...jersey, id: "b", price: "cheap" }),
      "product 2 (b), price: 'cheap' isn’t a price in dollars, like 49.99",
    ],
    [
      "a price with a comma for a point",
      { "p.csv": 'id,title,color,price,M\nb,B,Red,"49,9",1\n' },
      "product 1 (b), price: '49,9' isn’t a price in dollars, like 49.99",
    ],
    [
      "a price with three decimals",
      inJson({ ...jersey, price: 1.005 }),
      "product 1 (kano-jersey), price: '1.005' isn’t a price in dollars, like 49.99",
    ],
    [
      "a size that nobody wears here",
      inJson({ ...jersey, sizes: { XXXL: 1 } }),
      "product 1 (kano-jersey), sizes.XXXL: is not known here",
    ],
    [
      "the one size beside another",
      inJson({ ...jersey, sizes: { S: 1, ONE: 0 } }),
      "product 1 (kano-jersey), sizes.ONE: a product has either ONE or sizes from S to XXL, not both",
    ],
    ["half a piece", inJson({ ...jersey, sizes: { S: 0.5 } }), "product 1 (kano-jersey), sizes.S: "],
    [
      "an id with a path in it",
      inJson({ ...jersey, id: "../x" }),
      "product 1 (../x), id: an id has letters, digits, - and _",
    ],
    [
      "an id that is a page of the office",
      inJson({ ...jersey, id: "New" }),
      "product 1 (New), id: no product can be called new, pictures, stock, import, prices: the office has pages there",
    ],
    ["an id twice", inJson(jersey, jersey), "product 2 (kano-jersey): the id is there twice"],
    [
      "a picture that is not there",
      inJson({ ...jersey, images: ["none.jpg"] }),
      "product 1 (kano-jersey), images: none.jpg: is not in the folder of the import",
    ],
    ["a table with a row too long", { "p.csv": "id,title,price\na,b,1,2,3\n" }, "p.csv, row 2: has 5 cells, and"],
    ["no JSON", { "p.json": "{" }, "p.json isn't valid JSON: "],
  ])("%s: a line that says where and what, and nothing is imported", async (_, files, says) => {
    const [at = ""] = Object.entries(files).map(([name, content]) => file(name, content));
    const { code, text } = await run(`products import ${at}`);
    const lines = text.replace("Nothing was imported.\n", "").replace(`${folder}/`, "").split("\n");
    expect([code, lines.map((line) => line.slice(0, says.length))]).toEqual([2, [says]]);
    expect(await db().selectFrom("products").select("id").execute()).toEqual([]);
  });

  test.each([
    ["of a server behind the shop", "http://127.0.0.1:9/red.jpg", "127.0.0.1 is no public address"],
    ["of a file outside the folder", path.relative(folder, "/etc/hostname"), "lies outside the folder of the import"],
  ])("a picture %s is refused, and nothing is imported", async (_, source, says) => {
    const at = file("far.json", JSON.stringify([{ ...jersey, images: [source] }]));
    expect(await run(`products import ${at}`)).toMatchObject({
      code: 2,
      text: expect.stringMatching(`images: ${source}: .*${says}`),
    });
    expect(await db().selectFrom("products").select("id").execute()).toEqual([]);
  });

  test("what running payments hold is never imported away", async () => {
    const { productId } = await oneBuyer(5);
    const at = file("held.json", JSON.stringify([{ ...jersey, id: productId, sizes: { M: 0 } }]));
    expect(await run(`products import ${at} --with-stock --yes`)).toMatchObject({
      code: 2,
      text: expect.stringContaining("reserved for payments under way"),
    });
  });
});

describe("documents", () => {
  test("what is exported can be imported into an empty shop, and is the same there", async () => {
    const { user, reference } = await busyShop();
    const [first, second] = [path.join(folder, "first"), path.join(folder, "second")];
    expect(await run(`documents export ${first}`)).toMatchObject({
      code: 0,
      data: { Users: 1, Sales: 1, Subscription: 1 },
    });
    await wipe();
    expect(await run(`documents import ${first}`)).toMatchObject({
      code: 0,
      data: { Products: 1, Users: 1, Sales: 1, Subscription: 1 },
    });
    expect(await listOrders(db(), user.id)).toMatchObject([
      { reference, status: "completed", totalCents: 5349, kobo: 8_558_400 },
    ]);
    // A second import changes nothing.
    expect(await run(`documents import ${first}`)).toMatchObject({
      code: 0,
      data: { Products: 0, Users: 0, Sales: 0, Subscription: 0, ExchangeRate: 0 },
    });
    await run(`documents export ${second}`);
    for (const name of readdirSync(first).filter((one) => one.endsWith(".json"))) {
      const [before, after] = [first, second].map((at) => JSON.parse(readFileSync(path.join(at, name), "utf8")));
      expect(volatile(after), name).toEqual(volatile(before));
    }
  });

  test("what has gone back of a sale moves along, a part as a part and all of it as all", async () => {
    const { user, reference } = await busyShop();
    const giveBack = async (...words: string[]) => {
      expect(await command(db(), ["orders", "refund", reference, ...words, "--yes"])).toMatchObject({ code: 0 });
      await catchUp(reference);
      provider.finishRefunds();
      await catchUp(reference);
    };
    const moved = async () => {
      const at = path.join(folder, `moved-${randomUUID()}`);
      await run(`documents export ${at}`);
      await wipe();
      expect(await run(`documents import ${at}`)).toMatchObject({ code: 0, data: { Sales: 1 } });
      const [order] = await listOrders(db(), user.id);
      return order && [order.status, order.refunds.map(({ kobo, withShipping }) => [kobo, withShipping])];
    };
    await giveBack("--with-shipping");
    await giveBack("--amount", "1000");
    expect(await moved()).toEqual([
      "completed",
      [
        [560_000, true],
        [100_000, false],
      ],
    ]);
    await giveBack();
    expect(await moved()).toEqual([
      "Refunded",
      [
        [560_000, true],
        [100_000, false],
        [7_898_400, false],
      ],
    ]);
  });

  /** Removes the moment of the export from a value. */
  function volatile(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value, (key, one) => (key === "exportedAt" ? undefined : one)));
  }

  test("a document database's export of the described product moves in", async () => {
    const old = mkdtempSync(path.join(folder, "old-"));
    const write = (name: string, value: unknown) =>
      writeFileSync(path.join(old, `${name}.json`), JSON.stringify(value));
    write("Products", {
      p1: { title: "Old Jersey", color: "Blue", price: 20, images: [], sizes: { M: 4 }, quantity: 4 },
    });
    write("Users", {
      u1: {
        email: "Old@Example.com",
        firstName: "Old",
        lastName: "Friend",
        verified: true,
        createdAt: { _seconds: 1_700_000_000, _nanoseconds: 0 },
        cart: [{ id: "p1", selectedSize: "M", quantity: 2 }, { broken: true }],
        sales: [],
      },
    });
    write("Sales", {
      s1: {
        userId: "u1",
        customerDetails: {
          name: "Old Friend",
          email: "old@example.com",
          shippingAddress: { country: "Nigeria", state: "Lagos", address: "1 Road" },
        },
        products: [{ id: "p1", title: "Old Jersey", price: 20, color: "Blue", selectedSize: "M", quantity: 1 }],
        paymentDetails: {
          reference: "1700000000000",
          amount: 37_123,
          currency: "NGN",
          status: "completed",
          paymentMethod: "Paystack",
          paymentDate: "2023-11-14T22:13:20.000Z",
        },
        shippingCost: 3.5,
        totalAmount: 23.5,
        subtotal: 20,
      },
    });
    write("Subscription", [{ firstName: "Eze", email: "eze@example.com", createdAt: "2024-01-01" }]);
    write("ExchangeRate", { x: { rate: 1580 } });
    write("Shopping", {
      Shipping: {
        Nigeria: { homeDelivery: { states: { Lagos: 3 } }, pickup: { locations: { Yaba: { rate: 2 } } } },
        Ghana: 20,
      },
    });
    expect(await run(`documents import ${old}`)).toMatchObject({
      code: 0,
      data: { Products: 1, Users: 1, Sales: 1, Subscription: 1 },
    });
    const orders = await listOrders(db(), "u1");
    expect(orders).toMatchObject([
      { status: "completed", totalCents: 2350, kobo: 3_712_300, shipping: { state: "Lagos", firstName: "Old" } },
    ]);
    const { data } = await run("customers export old@example.com");
    expect(data).toMatchObject({
      uid: "u1",
      verified: true,
      cart: [{ id: "p1", quantity: 2 }],
      sales: [{ totalAmount: 23.5 }],
    });
  });

  test("run again after selling, changing a price, delivery and the rate, it leaves all of that as it is", async () => {
    const old = mkdtempSync(path.join(folder, "again-"));
    const write = (name: string, value: unknown) =>
      writeFileSync(path.join(old, `${name}.json`), JSON.stringify(value));
    const tee = { ...jersey, id: "eko-tee", color: "Green", price: 49.99, sizes: { M: 10 } };
    const delivery = (lagos: number) => ({
      Nigeria: { homeDelivery: { states: { Lagos: lagos } }, pickup: { locations: {} } },
    });
    write("Products", [tee]);
    write("ExchangeRate", [{ rate: 1500 }]);
    write("Shopping", { Shipping: delivery(3) });
    await sql`truncate exchange_rates, shipping_rates`.execute(db());
    await seedShipping(db());
    expect(await run(`documents import ${old}`)).toMatchObject({
      code: 0,
      data: { Products: 1, ExchangeRate: 1, Shopping: 1 },
    });
    expect((await run("shipping export")).data).toEqual(delivery(3));

    const { reference } = await open(await makeShopper(db(), { productId: tee.id, size: "M", quantity: 5 }));
    provider.pay(reference);
    await settlePayment(reference);
    await run(`products import ${file("dearer.json", JSON.stringify([{ ...tee, price: 60, sizes: {} }]))}`);
    await run(`shipping import ${file("delivery.json", JSON.stringify(delivery(4)))}`);
    await run("rate set 1700");

    write("Products", [tee, { ...tee, id: "new-tee" }]);
    expect(await run(`documents import ${old}`)).toMatchObject({
      code: 0,
      data: { Products: 1, ExchangeRate: 0, Shopping: 0 },
    });
    expect((await run("products export")).data).toMatchObject([
      { id: tee.id, price: 60, quantity: 5 },
      { id: "new-tee", price: 49.99, quantity: 10 },
    ]);
    expect(await sizesOf(tee.id)).toEqual({ M: 5 });
    expect((await run("shipping export")).data).toEqual(delivery(4));
    expect((await run("rate show")).data).toMatchObject({ rate: expect.stringMatching(/^1700/) });
    await sql`truncate exchange_rates`.execute(db());
  });

  test("a folder that is not there, or holds none of the files, is bad input", async () => {
    const missing = path.join(folder, "no-such-folder");
    const empty = mkdtempSync(path.join(folder, "empty-"));
    for (const at of [missing, empty, file("a-file.json", "{}")])
      expect(await run(`documents import ${at}`)).toMatchObject({
        code: 2,
        data: { error: expect.stringContaining(at) },
      });
  });

  test("one wrong document, and nothing is imported", async () => {
    const old = mkdtempSync(path.join(folder, "wrong-"));
    writeFileSync(path.join(old, "Products.json"), JSON.stringify([jersey]));
    writeFileSync(path.join(old, "Users.json"), JSON.stringify([{ email: "nobody" }]));
    const result = await run(`documents import ${old}`);
    expect(result).toMatchObject({
      code: 2,
      text: expect.stringContaining("Users 1, email: this isn’t an email address"),
    });
    expect(await db().selectFrom("products").select("id").execute()).toEqual([]);
  });
});

test("a backup brings the whole shop back, to the last row, and mails that were still to be sent", async () => {
  const { user } = await busyShop();
  const at = path.join(folder, "shop.backup");
  // The audit log gets a row for the restore, and unlogged tables are not part of a backup.
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> 'audit_log'
  `.execute(db());
  const all = async () => {
    const parts = [];
    for (const { name } of tables)
      parts.push((await sql`select to_json(t) as row from ${sql.table(name)} t order by 1::text`.execute(db())).rows);
    return parts;
  };
  const before = await all();
  expect(await run(`backup ${at}`)).toMatchObject({ code: 0 });
  expect((statSync(at).mode & 0o777).toString(8), "only its owner may read it").toBe("600");
  expect(await run(`restore ${at}`)).toMatchObject({
    code: 2,
    text: expect.stringContaining("only be restored into an empty shop"),
  });
  await wipe();
  await sql`delete from jobs.job`.execute(db());
  expect(await run(`restore ${at}`)).toMatchObject({ code: 0 });
  expect(await all()).toEqual(before);
  expect(await listOrders(db(), user.id)).toHaveLength(1);
  const { rows } = await sql`select from jobs.job where name = 'send-mail'`.execute(db());
  expect(rows.length).toBe(
    (await db().selectFrom("outbox").select("id").where("state", "=", "queued").execute()).length,
  );
});

test("a picture that is not what its name says is left out of what comes back, and named", async () => {
  await busyShop();
  const at = path.join(folder, "forged.backup");
  await run(`backup ${at}`);
  const chosen = "0123456789abcdef0123";
  const lines = gunzipSync(readFileSync(at)).toString();
  expect(lines).toMatch(/"file":"[0-9a-f]{20}"/);
  writeFileSync(at, gzipSync(lines.replace(/"file":"[0-9a-f]{20}"/, `"file":"${chosen}"`)));
  await wipe();
  expect(await run(`restore ${at}`)).toMatchObject({ code: 1, text: expect.stringContaining(chosen) });
  expect(await listOriginals()).not.toContain(chosen);
  expect(await db().selectFrom("users").select("id").execute()).toHaveLength(1);
});

test("a file that is no backup, or is not there, changes nothing", async () => {
  await wipe();
  expect(await run(`restore ${file("no.backup", "hello")}`)).toMatchObject({
    code: 2,
    text: expect.stringContaining("is no backup of this shop"),
  });
  expect(await run("restore missing.backup")).toMatchObject({ code: 2, text: "There is no file missing.backup" });
});

describe("customers delete", () => {
  test("the account is gone; its order stays in the books without a name; what is under way is waited for", async () => {
    const { user, payment } = await oneBuyer(3);
    const [{ email } = { email: "" }] = await db()
      .selectFrom("users")
      .select("email")
      .where("id", "=", user.id)
      .execute();
    expect(await run(`customers delete ${email}`)).toMatchObject({ code: 1 });
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    expect(await run(`customers delete ${email} --yes`)).toMatchObject({ code: 1 });
    expect(await run(`orders fulfil ${payment.reference}`)).toMatchObject({ code: 0 });
    await db()
      .updateTable("outbox")
      .set({ state: "failed", lastError: `${email}: no such user` })
      .execute();
    expect(await run(`customers delete ${email}`)).toMatchObject({ code: 0 });
    expect(await run(`customers delete ${email}`)).toMatchObject({ code: 2 });
    const everything = JSON.stringify(
      await Promise.all(
        (["users", "sales", "orders", "carts", "webhookInbox", "outbox"] as const).map((table) =>
          db().selectFrom(table).selectAll().execute(),
        ),
      ),
    );
    for (const secret of [email, "ada@example.com", "Ada", "Broad Street", "0803"])
      expect(everything).not.toContain(secret);
    const { data } = await run(`documents export ${path.join(folder, `after-${randomUUID()}`)}`);
    expect(data).toMatchObject({ Users: 0, Sales: 1 });
  });

  test.each([
    ["long ago counts as sent", "2023-11-14T22:13:20.000Z", 0],
    ["a moment ago is not sent yet", new Date().toISOString(), 1],
  ])("an order that moved in from another shop and was paid %s", async (_, paymentDate, code) => {
    const user = await makeShopper(db());
    const sale = readSaleDocument({
      userId: user.id,
      customerDetails: { name: "Ada Obi", email: user.email },
      products: [{ id: "p1", price: 20, quantity: 1 }],
      paymentDetails: { reference: `old-${user.id.slice(0, 20)}`, amount: 32_000, paymentDate },
      totalAmount: 20,
    });
    await db()
      .transaction()
      .execute((trx) => importSale(trx, sale));
    expect(await run(`customers delete ${user.email}`)).toMatchObject({ code });
  });

  test("the money of their order can still go back, and no mail is sent to nobody", async () => {
    const { payment, user } = await oneBuyer(3);
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    expect(await run(`orders fulfil ${payment.reference}`)).toMatchObject({ code: 0 });
    expect(await run(`customers delete ${user.email}`)).toMatchObject({ code: 0 });
    await sql`delete from jobs.job where name = 'send-mail'`.execute(db());
    expect(await run(`orders refund ${payment.reference} --yes`)).toMatchObject({ code: 0 });
    await catchUp(payment.reference);
    provider.finishRefunds();
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "done" });
    const { rows } = await sql`select from jobs.job where name = 'send-mail'`.execute(db());
    expect(rows).toEqual([]);
  });
});

test("shipping and subscribers go out as they came in; a country is told by its name or its code", async () => {
  await wipe();
  const { data } = await run("shipping export");
  expect(await run(`shipping import ${file("shipping.json", JSON.stringify(data))}`)).toMatchObject({ code: 0 });
  expect((await run("shipping export")).data).toEqual(data);
  expect(await run(`shipping import ${file("bad.json", "{}")}`)).toMatchObject({ code: 2 });
  const to = (country: string) =>
    file("abroad.json", JSON.stringify({ Nigeria: (data as { Nigeria: unknown }).Nigeria, [country]: 20 }));
  expect(await run(`shipping import ${to("Ghanna")}`)).toMatchObject({
    code: 2,
    text: expect.stringContaining("'Ghanna' is no country"),
  });
  const dear = file("dear.json", JSON.stringify({ Nigeria: (data as { Nigeria: unknown }).Nigeria, GH: "12,5" }));
  expect(await run(`shipping import ${dear}`)).toMatchObject({
    code: 2,
    text: expect.stringContaining("'12,5' isn’t a"),
  });
  expect((await run("shipping export")).data).toEqual(data);
  expect(await run(`shipping import ${to("Ghana")} --yes`)).toMatchObject({ code: 0 });
  expect((await loadShippingRates(db())).countries).toEqual([{ code: "GH", name: "Ghana", rateCents: 2000 }]);
  await makeShopper(db());
  expect((await run("subscribers export")).data).toEqual([]);
});

test("what a stranger typed is no formula in a table of customers or subscribers, and in JSON it is what it was", async () => {
  const formula = '=HYPERLINK("https://evil.example","Ada")';
  const { id } = await makeShopper(db());
  await db().updateTable("users").set({ firstName: formula }).where("id", "=", id).execute();
  await db().insertInto("subscriptions").values({ firstName: formula, email: "bola@example.com" }).execute();
  for (const name of ["customers", "subscribers"]) {
    const { text, data } = await run(`${name} export`);
    expect(Papa.parse(text, { header: true }).data).toMatchObject([{ firstName: `'${formula}` }]);
    expect(data).toMatchObject([{ firstName: formula }]);
  }
});

test.each([
  ["a command that is not there", () => "burn everything", "burn"],
  ["one that every object has", () => "constructor", "constructor"],
  ["a table that is not there", () => "products import missing.csv", "missing.csv"],
  ["products that are not there", () => "products import missing.json", "missing.json"],
  ["delivery rates that are not there", () => "shipping import missing.json", "missing.json"],
  ["delivery rates that are no JSON", () => `shipping import ${file("half.json", "{")}`, "half.json isn't valid JSON"],
  ["products that are no JSON", () => `products import ${file("half.json", "{")}`, "half.json isn't valid JSON"],
  ["products that are a number", () => `products import ${file("one.json", "1")}`, "one.json has no documents"],
  ["a table with a cell too many", () => `products import ${file("wide.csv", "id,title\na,b,c\n")}`, "wide.csv, row 2"],
  [
    "a collection that is no JSON",
    () => `documents import ${path.dirname(file("Users.json", "{"))}`,
    "Users.json isn't valid JSON",
  ],
])("%s is bad input, in a line, also as JSON", async (_, line, says) => {
  const { code, text, data } = await run(line());
  expect([code, data, text.split("\n").length]).toEqual([2, { error: text }, 1]);
  expect(text).toContain(says);
});
