vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { USUAL_COLUMNS } from "#app/owner/orders/courier/columns.ts";
import { markPacked } from "#app/owner/orders/fulfilment.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { lagosForm, makeProduct, makeShopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, open } = useCheckout();
const pageAt = useOfficePages();

let cookies: string[];
const numbers: Record<string, string> = {};

async function order(name: string): Promise<{ reference: string; productId: string; orderId: string }> {
  const productId = await makeProduct(db(), { M: 9 });
  const { reference, orderId } = await open(await makeShopper(db(), { productId, size: "M" }));
  const row = db().selectFrom("orders").select("number").where("id", "=", orderId);
  numbers[name] = (await row.executeTakeFirstOrThrow()).number;
  return { reference, productId, orderId };
}

async function paid(name: string) {
  const made = await order(name);
  provider.pay(made.reference);
  await settlePayment(made.reference);
  return made;
}

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "orders"));
  await paid("good");
  await order("unpaid");
  const { reference: cancelled } = await paid("cancelled");
  await refundWished(db(), cancelled, { restock: true });
  const { reference, productId } = await paid("empty");
  await refundWished(db(), reference, { pieces: [{ productId, size: "M", quantity: 1 }] });
});

const REASONS: [name: string, why: string][] = [
  ["unpaid", "Isn’t paid yet"],
  ["cancelled", "It’s been refunded"],
  ["empty", "All of its items have been refunded"],
];
const all = (what: string, form?: Record<string, string>) =>
  pageAt(`/orders/${what}?numbers=${Object.values(numbers).join(",")}`, cookies, form);

describe("address labels", () => {
  test("are printed for what may leave alone", async () => {
    const { text, links } = await all("labels");
    expect(text).toContain("1 label ");
    expect(text.split(lagosForm.address)).toHaveLength(2);
    expect(text).toContain("3 orders have no label:");
    expect(links).toContain(`/orders/parcels?numbers=${numbers.good}`);
  });

  test.each(REASONS)("say of an order that is %s why it has none", async (name, why) => {
    expect((await all("labels")).text).toContain(`${numbers[name]}: ${why}`);
  });
});

describe("the pick list", () => {
  test("has each size once, with how many for which orders, and no address", async () => {
    const { text, raw, links } = await pageAt(
      `/orders/pick-list?numbers=${[...Object.values(numbers), numbers.good].join(",")}`,
      cookies,
    );
    expect(text).toContain("1 piece for 1 order");
    expect(text).toMatch(new RegExp(`Home Jersey .* M 1 ${numbers.good}`));
    expect(text).toContain("3 orders aren’t on the list:");
    expect(raw).not.toContain(lagosForm.address);
    expect(links).toContain(`/orders/slips?numbers=${numbers.good}`);
    expect(links).toContain(`/orders/labels?numbers=${numbers.good}`);
  });

  test.each(REASONS)("leaves out an order that is %s, and says why", async (name, why) => {
    const { text } = await pageAt(`/orders/pick-list?numbers=${numbers[name]}`, cookies);
    expect(text).toContain(`${numbers[name]}: ${why}`);
    expect(text).toContain("There’s nothing to pick.");
  });

  test("of a packed order has nothing, since its pieces would be fetched twice", async () => {
    const { reference } = await paid("packed");
    await markPacked(db(), reference);
    const { text } = await pageAt(`/orders/pick-list?numbers=${numbers.packed}`, cookies);
    delete numbers.packed;
    expect(text).toContain("Already packed");
    expect(text).toContain("There’s nothing to pick.");
  });
});

describe("the sender", () => {
  const typed = { sender: "Irepo\n12 Allen Avenue\nIkeja, Lagos", senderPhone: "+2348031234567" };

  test("of a shop that has none set is its own host", async () => {
    expect((await all("labels")).text).toContain(`From ${env.publicUrl.host}`);
  });

  test("is set in the office, and stands on labels and slips with its phone", async () => {
    const owner = await staffWithPasskey(db(), "owner");
    const was = JSON.stringify({ sender: "", senderPhone: "" });
    const { sender, senderPhone } = typed;
    const sent = { intent: "save", was, sender: sender.replaceAll("\n", " \r\n\r\n"), senderPhone };
    expect((await pageAt("/shop", owner.cookies, sent)).text).toContain("Saved. The shop shows it now.");
    expect((await all("labels")).text).toContain("From Irepo, 12 Allen Avenue, Ikeja, Lagos, +2348031234567");
    expect((await all("slips")).text).toMatch(/Irepo 12 Allen Avenue Ikeja, Lagos \+2348031234567/);
  });
});

describe("a customs form", () => {
  const form = { ...lagosForm, country: "Ghana", city: "Accra", state: "", localGovernment: "" };
  let productId: string;
  const customs = (number = numbers.abroad, as = cookies) => pageAt(`/orders/customs?numbers=${number}`, as);

  beforeAll(async () => {
    productId = await makeProduct(db(), { M: 9, L: 9 });
    const lines = [
      { productId, size: "M", quantity: 2 },
      { productId, size: "L" },
    ];
    const { reference, orderId } = await open(await makeShopper(db(), ...lines), {
      form: { ...form, deliveryType: "", phoneNumber: "+233241234567" },
      destination: { kind: "abroad", country: "GH" },
    });
    provider.pay(reference);
    await settlePayment(reference);
    const row = db().selectFrom("orders").select("number").where("id", "=", orderId);
    numbers.abroad = (await row.executeTakeFirstOrThrow()).number;
  });

  test("says what its products lack, with links to them", async () => {
    const { text, links } = await customs();
    expect(text).toContain("Home Jersey (weight, HS code, country of origin)");
    expect(links).toContain(`/products/${productId}`);
  });

  test("has each product once, with weight, code, origin and what was paid, and the sums of the parcel", async () => {
    const details = { weightGrams: 230, hsCode: "61099090", originCountry: "NG", fabric: "100% cotton" };
    await sql`update products set kinds = '{jerseys}', details = ${JSON.stringify(details)} where id = ${productId}`.execute(
      db(),
    );
    const { text } = await customs();
    const { kobo } = await db()
      .selectFrom("sales")
      .innerJoin("orders", "orders.id", "sales.orderId")
      .select(sql<string>`trunc(sales.kobo - sales.shipping_cents * sales.rate)`.as("kobo"))
      .where("orders.number", "=", numbers.abroad ?? "")
      .executeTakeFirstOrThrow();
    const paid = `₦${(Math.round(Number(kobo)) / 100).toLocaleString("en")}`;
    expect(text).toContain(`Home Jersey (jerseys), 100% cotton 3 0.690 ${paid} 6109.90.90 Nigeria`);
    expect(text).toContain("Total net weight, kg: 0.690");
    expect(text).toContain(`Total value (6) ${paid}`);
    expect(text).toContain("the total value is $149.97");
    expect(text).toMatch(/To Ada Obi 1 Broad Street Accra Ghana Tel\. \+233241234567/);
    expect(text).toContain("☒ Sale of goods");
    expect(text).not.toContain("Customs may stop");
  });

  test("is for parcels abroad alone", async () => {
    const { text } = await customs(numbers.good);
    expect(text).toContain(`${numbers.good}: It stays in Nigeria`);
    expect(text).not.toContain("CUSTOMS DECLARATION");
    expect((await pageAt(`/orders/labels?numbers=${numbers.good}`, cookies)).links.join()).not.toContain("customs");
    expect((await pageAt(`/orders/labels?numbers=${numbers.abroad}`, cookies)).links).toContain(
      `/orders/customs?numbers=${numbers.abroad}`,
    );
  });

  test("is closed to a packer, who sees no sums, and no page of theirs leads to it", async () => {
    const packer = await staffWithPasskey(db(), "packer");
    expect((await customs(numbers.abroad, packer.cookies)).status).toBe(403);
    const labels = await pageAt(`/orders/labels?numbers=${numbers.abroad}`, packer.cookies);
    expect([labels.status, labels.links.join().includes("customs")]).toEqual([200, false]);
    delete numbers.abroad;
  });
});

describe("the courier’s file", () => {
  const download = async () => (await all("courier.csv")).raw.trim().split("\r\n");
  const keep = (form: Record<string, string>) => all("courier", { intent: "columns", ...form });

  test("has a row for each order that may leave, with the usual columns", async () => {
    const [head, ...rows] = await download();
    expect(head).toBe("Order number,Name,Phone,Street,Landmark,City,State,Country,Number of pieces,Contents");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(`${numbers.good},`);
    expect(rows[0]).toContain(lagosForm.address);
    expect(rows[0]).toMatch(/1 × Home Jersey.*, M/);
    expect((await all("courier")).text).toContain("3 orders aren’t in the file:");
  });

  test("keeps the columns that the owner has chosen, with the courier’s own headings", async () => {
    const was = JSON.stringify(USUAL_COLUMNS);
    const chosen = { was, "heading[]": "CONSIGNEE TEL", "cell[]": "phone" };
    expect((await keep(chosen)).text).toContain("Saved. The next files have these columns.");
    expect(await download()).toEqual(["CONSIGNEE TEL", lagosForm.phoneNumber]);
    expect((await keep({ ...chosen, "heading[]": "TEL" })).text).toContain("Somebody else has changed the columns");
  });

  test.each([
    [{ "heading[]": " ", "cell[]": "phone" }, "Write a heading for at least one column"],
    [{ "heading[]": "x".repeat(61), "cell[]": "phone" }, "At most 60 letters in a heading"],
    [{ "heading[]": "Phone", "cell[]": "email" }, "Choose what the column holds"],
  ])("refuses %j", async (form, why) => {
    const answer = await keep({ was: "[]", ...form });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(why)]);
  });
});

test.each(REASONS)("the slip of an order that is %s says why nothing is to be packed", async (name, why) => {
  const { text } = await pageAt(`/orders/slips?numbers=${numbers[name]}`, cookies);
  expect(text).toContain(`There’s nothing to pack. ${why}.`);
});

test.each(["labels", "slips"])(
  "13 %s leave one row in the log: who has seen which orders, and how many",
  async (what) => {
    const rows = () =>
      db()
        .selectFrom("auditLog")
        .select(["actor", "subjectKind", "after"])
        .where("action", "=", `orders print ${what}`)
        .execute();
    const before = (await rows()).length;
    await all(what);
    const [row, ...more] = (await rows()).slice(before);
    expect([row, more]).toMatchObject([
      {
        actor: expect.stringContaining("@"),
        subjectKind: "export",
        after: { rows: 4, orders: Object.values(numbers) },
      },
      [],
    ]);
  },
);
