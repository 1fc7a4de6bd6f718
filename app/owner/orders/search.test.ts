import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { delivered } from "#tests/support/returns.ts";
import { matchesSql, searchOrders } from "./search.server.ts";

const checkout = useCheckout();
const { db } = checkout;

let number: string;
let reference: string;
beforeAll(async () => {
  await delivered(checkout); // another order, which nothing here is about
  ({ reference } = await delivered(checkout));
  const { orderId } = await db()
    .selectFrom("payments")
    .select("orderId")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const shipping = { firstName: "Zuri", address: "12B Ọ̀páàrà Crescent, off Lekki-Epe", email: "zuri@example.com" };
  await sql`update orders set shipping = shipping || ${JSON.stringify(shipping)}::jsonb, email = 'zuri@example.com',
    lines = jsonb_set(lines, '{0,title}', '"Harmattan Zig-Zag Jersey"') where id = ${orderId}`.execute(db());
  await db()
    .updateTable("sales")
    .set({ carrier: "GIG", tracking: "GIG-4711 0871/LA" })
    .where("reference", "=", reference)
    .execute();
  ({ number } = await db().selectFrom("orders").select("number").where("id", "=", orderId).executeTakeFirstOrThrow());
});

const found = async (text: string, isToPack = false) =>
  (await searchOrders(db(), { view: "all", text, isToPack })).rows.map((order) => order.number);

describe("an order is found", () => {
  test.each<[by: string, typed: () => string]>([
    ["its number", () => number],
    ["its number without hyphens", () => number.replaceAll("-", "")],
    ["the middle of its number", () => number.slice(3, 7)],
    ["its number without the beginning", () => number.slice(3)],
    ["three letters of its number", () => number.slice(4, 7)],
    ["its street, without accents", () => "opaara"],
    ["a street and a house number", () => "12b oPaara cres"],
    ["a part of its street", () => "epe"],
    ["a product", () => "harmattan"],
    ["a product with a hyphen, written as one", () => "zigzag jer"],
    ["a name and a street", () => "zuri lekki"],
    ["a name and a product", () => "zuri harmattan"],
    ["the parcel’s number", () => "GIG-4711 0871/LA"],
    ["the parcel’s number, written in another way", () => "gig47110871la"],
    ["the beginning of the parcel’s number", () => "GIG 4711"],
  ])("by %s", async (_, typed) => {
    expect(await found(typed())).toEqual([number]);
    expect(await found(typed(), true)).toEqual([number]);
  });

  test.each<[by: string, typed: () => string]>([
    ["another name and its street", () => "nobody opaara"],
    ["the end of the parcel’s number", () => "0871LA"],
    ["another parcel’s number", () => "GIG-4712"],
  ])("not by %s", async (_, typed) => {
    expect(await found(typed())).toEqual([]);
  });

  test.each<[by: string, typed: () => string]>([
    ["email", () => "zuri@example.com"],
    ["phone and name", () => "zuri 0803 123 4567"],
    ["a payment’s reference", () => reference],
  ])("not by %s, by staff who see no details of orders", async (_, typed) => {
    expect(await found(typed())).toEqual([number]);
    expect(await found(typed(), true)).toEqual([]);
  });
});

test.each([
  ["words", "opaara harmattan", ["orders_found", "orders_found_more"]],
  ["a parcel’s number", "GIG-4711", ["orders_found", "sales_by_tracking"]],
])("a search by %s uses the indexes", async (_, text, indexes) => {
  const plan = await db()
    .transaction()
    .execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      return sql<Record<string, string>>`explain select from orders where ${matchesSql(text)}`.execute(trx);
    });
  for (const index of indexes) expect(JSON.stringify(plan.rows)).toContain(index);
});
