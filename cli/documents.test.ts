import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { listOrders } from "#app/orders/history.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import type { DeliveryWay } from "#app/shipping/shipping.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { aWay } from "#tests/support/delivery-ways.ts";
import { makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";

const { db, provider, open, catchUp } = useCheckout();
const say = (...words: string[]) => command(db(), words);
const newFolder = () => mkdtempSync(path.join(tmpdir(), "irepo-collections-"));
const readCollection = (folder: string, name: string) =>
  JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"));

// Each test begins with an empty shop, and must leave consistent books.
afterEach(async () => {
  // An imported refund that was under way leaves I13, the rule for what a person has to look into.
  expect((await checkInvariants(db())).filter(({ rule }) => rule !== "I13")).toEqual([]);
  await wipe();
  await db().deleteFrom("deliveryWays").execute();
  provider.reset();
});

const wipe = () =>
  sql`truncate users, orders, products, subscriptions, outbox, webhook_inbox, payment_issues cascade`.execute(db());

/** A folder with these collections, and a picture red.png. */
async function folderOf(collections: Record<string, unknown>): Promise<string> {
  const folder = newFolder();
  const picture = { create: { width: 8, height: 10, channels: 3, background: "#aa0000" } } as const;
  writeFileSync(path.join(folder, "red.png"), await sharp(picture).png().toBuffer());
  for (const [name, documents] of Object.entries(collections))
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(documents));
  return folder;
}

const tee = { id: "tee", title: "Tee", color: "Green", price: 20, images: ["red.png"], sizes: { M: 9 } };

/** Buys one tee and one cap, and pays. Returns the order's reference. */
async function bought(user: Shopper, way?: DeliveryWay): Promise<string> {
  await putInCart(db(), user.id, "tee", "M");
  await putInCart(db(), user.id, "cap", "ONE");
  const { reference } = await open(user, { way });
  provider.pay(reference);
  await settlePayment(reference);
  return reference;
}

async function givenBack(reference: string, ...words: string[]): Promise<void> {
  expect(await say("orders", "refund", reference, ...words, "--yes")).toMatchObject({ code: 0 });
  await catchUp(reference);
  provider.finishRefunds();
  await catchUp(reference);
}

describe("what is exported is the same after an import", () => {
  /** A shop with three sales: one sent, one by express and partly refunded, one completely refunded. */
  async function busyShop(): Promise<{ user: Shopper; references: string[] }> {
    const cap = { id: "cap", title: "Cap", color: "Black", price: 12, quantity: 9 };
    await say("products", "import", path.join(await folderOf({ p: [tee, cap] }), "p.json"));
    const user = await makeShopper(db());
    await aWay(db(), { name: "Express" }, { active: true });
    const [express] = (await loadShippingRates(db())).ways ?? [];
    const references = [await bought(user), await bought(user, express), await bought(user)];
    const [sent = "", part = "", whole = ""] = references;
    await say("orders", "fulfil", sent, "GIG-7", "--carrier", "GIG");
    await givenBack(part, "--piece", "tee:M:1");
    await givenBack(whole);
    await putInCart(db(), user.id, "tee", "M", 2);
    const past = new Date("2024-05-06T07:08:09Z");
    await db()
      .insertInto("subscriptions")
      .values({ firstName: "Bola", email: "b@example.com", createdAt: past })
      .execute();
    await sql`update sales set created_at = created_at - interval '400 days'`.execute(db());
    return { user, references };
  }

  async function moved(): Promise<[before: string, after: string]> {
    const [before, after] = [newFolder(), newFolder()];
    expect(await say("documents", "export", before)).toMatchObject({ code: 0 });
    await wipe();
    expect(await say("documents", "import", before)).toMatchObject({ code: 0, data: { Sales: 3 } });
    expect(await say("documents", "export", after)).toMatchObject({ code: 0 });
    return [before, after];
  }

  test("ids, dates, statuses, pictures, refunds, ways of delivery and deliveries", async () => {
    await busyShop();
    const [before, after] = await moved();
    for (const file of readdirSync(before).filter((name) => name.endsWith(".json"))) {
      const [first, second] = [before, after].map((folder) =>
        JSON.parse(readFileSync(path.join(folder, file), "utf8"), (key, value) => (key === "exportedAt" ? "" : value)),
      );
      expect(second, file).toEqual(first);
    }
    const { shippingAddress } = readCollection(after, "Sales")[1].customerDetails;
    expect(shippingAddress.deliveryWay).toBe("Express, 1 to 2 business days");
  });

  test("a refunded order is not green, and each shows its picture and day", async () => {
    const { user } = await busyShop();
    const shown = async () =>
      (await listOrders(db(), user.id)).map(({ status, orderedAt, lines, tracking }) => [
        status,
        orderedAt,
        tracking,
        lines.map(({ image }) => image),
      ]);
    const before = await shown();
    expect(before.map(([status]) => status).sort()).toEqual(["Refunded", "completed", "completed"]);
    await moved();
    expect(await shown()).toEqual(expect.arrayContaining(before));
  });

  test("saleId in Users points at Sales, shipping is a number everywhere, and a product without a picture has the placeholder", async () => {
    const { references } = await busyShop();
    const [folder] = await moved();
    const sales = readCollection(folder, "Sales");
    const [{ sales: ofUser }] = readCollection(folder, "Users");
    expect(ofUser.map(({ saleId }: { saleId: string }) => saleId)).toEqual(sales.map(({ id }: { id: string }) => id));
    expect(sales[0]).toMatchObject({
      shippingCost: 3.5,
      customerDetails: { shippingAddress: { shippingCost: 3.5, shippingRate: 3.5, paymentReference: references[0] } },
      delivery: { carrier: "GIG", tracking: "GIG-7", sentAt: expect.stringMatching(/^\d{4}-/) },
    });
    const picturesOf = ({ products }: { products: { id: string; images: string }[] }) =>
      Object.fromEntries(products.map(({ id, images }) => [id, images]));
    expect(picturesOf(sales[0])).toEqual({
      tee: expect.stringMatching(/\/images\/[0-9a-f]{20}\/640\.jpg$/),
      cap: "/placeholder.svg",
    });
    expect(readCollection(folder, "Products")).toMatchObject([
      { id: "tee" },
      { id: "cap", images: ["/placeholder.svg"] },
    ]);
  });
});

const oldSale = (change: object = {}, details: object = {}) => ({
  userId: "u1",
  customerDetails: { name: "Old Friend", email: "old@example.com", shippingAddress: { country: "Nigeria" } },
  products: [{ id: "tee", title: "Tee", price: 20, color: "Red", selectedSize: "M", quantity: 1, images: "red.png" }],
  paymentDetails: {
    reference: `old-${randomUUID()}`,
    amount: 32_000,
    status: "completed",
    paymentDate: "2023-11-14T22:13:20.000Z",
    ...details,
  },
  orderDate: "2023-11-13T08:00:00.000Z",
  totalAmount: 20,
  ...change,
});
const oldUser = { uid: "u1", email: "old@example.com", firstName: "Old", lastName: "Friend", verified: true };

describe("a sale of another shop keeps", () => {
  const movedIn = async (sale: object) => {
    await say("documents", "import", await folderOf({ Products: [tee], Users: [oldUser], Sales: [sale] }));
    const [order] = await listOrders(db(), "u1");
    return order;
  };

  test.each([
    ["completed", "completed"],
    ["refunded", "Refunded"],
    ["Reversed", "Refunded"],
    ["refunding", "Refund on its way"],
    ["Processing", "Processing"],
    ["On hold", "On hold"],
  ])("its status %s: the history says %s", async (status, shown) => {
    expect(await movedIn(oldSale({}, { status }))).toMatchObject({ status: shown });
  });

  test("its refund, if only the status of the sale says so", async () => {
    expect(await movedIn(oldSale({ status: "refunded" }, { status: "" }))).toMatchObject({
      status: "Refunded",
      refunds: [{ kobo: expect.any(Number), isDone: true }],
    });
  });

  test("its day, its picture and its id", async () => {
    const order = await movedIn(oldSale({ id: "Xy12" }));
    expect(order).toMatchObject({
      saleId: "Xy12",
      orderedAt: new Date("2023-11-13T08:00:00.000Z"),
      lines: [{ image: { hash: expect.stringMatching(/^[0-9a-f]{20}$/), width: 8 } }],
    });
  });

  test("everything but a missing picture, which is named", async () => {
    const [product] = oldSale().products;
    const folder = await folderOf({ Sales: [oldSale({ products: [{ ...product, images: "gone.png" }] })] });
    expect(await say("documents", "import", folder)).toMatchObject({
      code: 0,
      data: { Sales: 1 },
      text: expect.stringContaining("Sales 1, products.0.images: gone.png: is not in the folder of the import"),
    });
  });
});

describe("documents import --skip-bad: all valid documents are imported", () => {
  const shipping = (states: object, more: object = {}) => ({
    Shipping: { Nigeria: { homeDelivery: { states }, pickup: { locations: {} } }, ...more },
  });
  const mixed = {
    Products: [
      tee,
      { ...tee, id: "wide", sizes: { M: 1, XXXL: 2 } },
      { ...tee, id: "shoe", sizes: { 42: 1 }, quantity: 1 },
      { ...tee, id: "dear", price: "much" },
      { id: "nameless", price: 5 },
      { ...tee, id: "bare", images: ["gone.png"] },
      { ...tee, id: "both", sizes: { M: 2, ONE: 2 } },
    ],
    Users: [
      { ...oldUser, cart: [{ id: "shoe", selectedSize: "42", quantity: 1 }] },
      { uid: "u2", email: "nobody" },
    ],
    Sales: [
      oldSale(),
      oldSale({ userId: "u2" }),
      oldSale({ totalAmount: "much" }),
      oldSale({}, { refunds: [{ amount: 99_000, status: "done" }] }),
    ],
    Subscription: [{ email: "b@example.com" }, { email: "b" }],
    ExchangeRate: [{ rate: "good" }],
    Shopping: shipping({ Lagos: 3, Kano: "dear" }, { Ghanna: 20, Ghana: 20 }),
  };

  test("all others are listed with collection, number, field and reason, and a second run changes nothing", async () => {
    const folder = await folderOf(mixed);
    const first = await say("documents", "import", folder, "--skip-bad");
    expect(first).toMatchObject({
      code: 1,
      data: { Products: 4, Users: 1, Sales: 2, Subscription: 1, ExchangeRate: 0, Shopping: 1 },
    });
    expect(first.text.split("\n").slice(1, -1)).toEqual([
      "Left out:",
      "  Products 2, sizes.XXXL: is not known here",
      "  Products 3, sizes.42: is not known here",
      "  Products 4, price: 'much' isn’t a price in dollars, like 49.99",
      "  Products 5, title: is missing",
      "  Products 6, images: gone.png: is not in the folder of the import",
      "  Products 7, sizes.ONE: a product has either ONE or sizes from S to XXL, not both",
      "  Users 1, cart.0: cannot be bought here",
      "  Users 2, email: this isn’t an email address",
      "  Sales 2, userId: there is no customer 'u2': it is kept without one",
      "  Sales 3, totalAmount: 'much' isn’t an amount in dollars",
      "  Sales 4, paymentDetails.refunds: more has gone back than was paid",
      "  Subscription 2, email: this isn’t an email address",
      "  ExchangeRate 1: 'good' isn't a rate",
      "  Shopping 1, Nigeria.homeDelivery.states.Kano: 'dear' isn’t a rate in dollars, like 12.50",
      "  Shopping 1, Ghanna: 'Ghanna' is no country: give its English name, like Ghana, or its code, like GH",
    ]);
    expect(first.data).toMatchObject({
      leftOut: expect.arrayContaining([
        { collection: "Users", number: 2, field: "email", reason: "this isn’t an email address" },
      ]),
    });
    const all = async () =>
      JSON.stringify([
        await db().selectFrom("products").selectAll().orderBy("id").execute(),
        await db().selectFrom("sales").selectAll().orderBy("id").execute(),
        (await say("shipping", "export")).data,
      ]);
    const before = await all();
    const again = await say("documents", "import", folder, "--skip-bad");
    expect(again.data).toMatchObject({ Products: 0, Users: 0, Sales: 0, Subscription: 0, Shopping: 0 });
    expect(await all()).toBe(before);
    expect((await say("products", "export")).data).toMatchObject([
      { id: "tee", sizes: { M: 9 } },
      { id: "wide", sizes: { M: 1 } },
      { id: "bare", images: [] },
      { id: "both", sizes: { M: 2 } },
    ]);
  });

  test("a kind that the shop doesn't have is named with the command that adds it, and is there after that", async () => {
    const folder = await folderOf({ Products: [{ ...tee, kinds: ["tees", "caps"] }] });
    expect(await say("documents", "import", folder)).toMatchObject({
      code: 2,
      text: expect.stringMatching(
        /^Nothing was imported\.\nProducts 1, kinds\.1: .*; add others with 'kinds set' first$/,
      ),
    });
    writeFileSync(path.join(folder, "kinds.json"), JSON.stringify([{ id: "caps", name: "Caps" }]));
    expect(await say("kinds", "set", path.join(folder, "kinds.json"))).toMatchObject({ code: 0 });
    expect(await say("documents", "import", folder)).toMatchObject({ code: 0, data: { Products: 1 } });
    expect((await say("products", "export")).data).toMatchObject([{ id: "tee", kinds: ["tees", "caps"] }]);
    await wipe();
    expect(await say("kinds", "remove", "caps", "--yes")).toMatchObject({ code: 0 });
  });

  test("without --skip-bad nothing is imported, and the same list is shown", async () => {
    const folder = await folderOf(mixed);
    const { code, text } = await say("documents", "import", folder);
    expect([code, text]).toEqual([2, expect.stringMatching(/^Nothing was imported\.\nProducts 2, sizes\.XXXL: /)]);
    expect(await db().selectFrom("products").select("id").execute()).toEqual([]);
  });
});
