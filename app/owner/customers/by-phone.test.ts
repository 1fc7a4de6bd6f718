import { beforeEach, describe, expect, test } from "vitest";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { searchOrders } from "#app/owner/orders/search.server.ts";
import { sellAtStall } from "#app/owner/orders/stall/sell.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { OWNER as by } from "#tests/support/command.ts";
import { arrived } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { endLinkChecks } from "#tests/support/staff-order.ts";
import { forgetByPhone, viewByPhone } from "./by-phone.server.ts";

const { db } = useCheckout();
let phone: string;
let at = 0;

beforeEach(() => {
  phone = `0803${String(9_000_000 + at++)}`;
});

/** Sells an item at a stall for cash. Returns the order's number. */
async function sold(given: { phone?: string; email?: string; name?: string } = {}): Promise<string> {
  const productId = await makeProduct(db(), { M: 1 });
  const sale = { units: [{ productId, size: "M", quantity: 1 }], stall: "Yaba market", kobo: 7_998_400 };
  const who = { email: "", name: "Ada Obi", phone, ...given };
  const { number } = await sellAtStall(db(), by, { ...sale, ...who, means: "cash" });
  await endLinkChecks(db());
  return number;
}
const orderOf = (number: string) =>
  db()
    .selectFrom("orders")
    .innerJoin("sales", "sales.orderId", "orders.id")
    .select(["orders.email", "orders.shipping", "sales.shipping as sold", "orders.kobo", "sales.reference"])
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
const ways = () => [phone, `+234 ${phone.slice(1)}`, `234${phone.slice(1)}`, `${phone.slice(0, 4)} ${phone.slice(4)}`];

describe("a customer of a stall without an email address", () => {
  test("is found by the phone number in each form, among customers and among orders", async () => {
    const number = await sold({ phone: `+234 ${phone.slice(1)}` });
    for (const typed of ways()) {
      expect(await viewByPhone(db(), typed), typed).toMatchObject({ phone, count: 1, orders: [{ number }] });
      const { rows } = await searchOrders(db(), { view: "all", text: typed });
      expect(rows.map((row) => row.number)).toEqual([number]);
    }
    for (const other of ["08031111111", phone.slice(0, 8), "Ada", "", "' | '"])
      expect(await viewByPhone(db(), other), other).toBeUndefined();
  });

  test("is deleted by the phone number: the orders stay without what names anybody, and it is written down", async () => {
    const [first, second, other] = [await sold(), await sold(), await sold({ phone: "08037654321" })];
    expect(await forgetByPhone(db(), by, ways()[1] ?? "")).toEqual({ ok: true });
    for (const number of [first, second]) {
      const { email, shipping, sold, kobo, reference } = await orderOf(number);
      expect([email, kobo]).toEqual(["deleted", "7998400"]);
      for (const one of [shipping, sold])
        expect(one).toMatchObject({ country: "Nigeria", deliveryType: "Pick-up", firstName: "", phoneNumber: "" });
      const rows = db().selectFrom("auditLog").selectAll().where("action", "=", "customers delete");
      expect(await rows.where("subjectId", "=", reference).execute()).toMatchObject([
        { subjectKind: "order", after: { number } },
      ]);
      expect(await orderHistory(db(), number)).toContainEqual(
        expect.objectContaining({ title: "The customer’s data was deleted" }),
      );
    }
    const rows = await db().selectFrom("auditLog").select(["before", "after"]).execute();
    expect(JSON.stringify(rows)).not.toContain(phone.slice(1));
    const mails = await db().selectFrom("outbox").select("data").execute();
    expect(JSON.stringify(mails)).not.toContain(phone.slice(1));
    expect((await orderOf(other)).shipping.firstName).toBe("Ada Obi");
    expect(await viewByPhone(db(), phone)).toBeUndefined();
    expect(await forgetByPhone(db(), by, phone)).toEqual({ ok: false, why: "unknown" });
  });

  test("is not who has the same digits in another country", async () => {
    const number = await sold();
    const abroad = { ...(await orderOf(number)).shipping, country: "United States", phoneNumber: phone.slice(1) };
    await db()
      .updateTable("orders")
      .set({ shipping: JSON.stringify(abroad) })
      .where("number", "=", number)
      .execute();
    expect(await forgetByPhone(db(), by, phone)).toEqual({ ok: false, why: "unknown" });
    expect(await viewByPhone(db(), phone.slice(1))).toBeUndefined();
  });

  test("is not who has an email address or an account, with the same phone number", async () => {
    const { email } = await makeShopper(db());
    const numbers = [await sold({ email }), await sold({ email: "guest@example.com" })];
    expect(await viewByPhone(db(), phone)).toBeUndefined();
    expect(await forgetByPhone(db(), by, phone)).toEqual({ ok: false, why: "unknown" });
    for (const number of numbers) expect((await orderOf(number)).shipping.phoneNumber).toBe(phone);
  });

  test("is not deleted while money is on its way back", async () => {
    const number = await sold();
    const { reference } = await orderOf(number);
    await arrived(db(), reference);
    await refundWished(db(), reference, { kobo: 100_000 });
    expect(await viewByPhone(db(), phone)).toMatchObject({ open: { underWay: [number] } });
    expect(await forgetByPhone(db(), by, phone)).toEqual({ ok: false, why: "money-under-way", orders: [number] });
    expect((await orderOf(number)).shipping.phoneNumber).toBe(phone);
  });
});
