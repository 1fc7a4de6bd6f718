import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { offerTerms } from "#app/offers/terms.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { addCollection, addProducts } from "../collections/collections.server.ts";
import { previewOffer } from "./preview.server.ts";

const { db, pay, provider } = useCheckout();
const NOTHING = { kind: "percent", percent: 1 } as const;

beforeAll(async () => {
  const tee = await makeProduct(db(), { M: 9 }, 2000);
  const jersey = await makeProduct(db(), { M: 9 }, 4999);
  await db()
    .updateTable("products")
    .set({ kinds: ["tees"] })
    .where("id", "=", tee)
    .execute();
  await addCollection(db(), OWNER, { id: "wax", name: "Wax", words: "" });
  await addProducts(db(), OWNER, "wax", [jersey]);
  for (const lines of [[tee], [tee, jersey], [jersey]]) {
    const user = await makeShopper(db(), ...lines.map((productId) => ({ productId, size: "M", quantity: 2 })));
    const opened = await pay(user);
    if (!("reference" in opened)) throw new Error("no payment");
    provider.pay(opened.reference);
    await settlePayment(opened.reference);
  }
});

test("an offer that applies to no order leaves the orders' sums unchanged", async () => {
  const terms = offerTerms.parse({ gift: NOTHING, products: ["no-such"] });
  const { rows } = await sql<{ n: number; cents: number }>`
    select count(*)::int as n, sum(subtotal_cents)::int as cents from sales`.execute(db());
  expect(await previewOffer(db(), terms)).toEqual({
    orders: 3,
    soldCents: 27_996,
    isAll: true,
    counted: 0,
    countedCents: 0,
    givenCents: 0,
  });
  expect(rows).toEqual([{ n: 3, cents: 27_996 }]);
});

test.each([
  ["10% off tees", { gift: { kind: "percent", percent: 10 }, kinds: ["tees"] }, 2, 17_998, 800],
  ["buy one tee, get one", { gift: { kind: "set", buy: 1, get: 1, percent: 100 }, kinds: ["tees"] }, 2, 17_998, 4000],
  ["$10 off from $100", { gift: { kind: "sum", off: { cents: 1000 } }, from: { cents: 10_000 } }, 1, 13_998, 1000],
  ["free delivery", { gift: { kind: "delivery" } }, 3, 27_996, 0],
  ["10% off a collection", { gift: { kind: "percent", percent: 10 }, collections: ["wax"] }, 2, 23_996, 2000],
  ["10% off an empty one", { gift: { kind: "percent", percent: 10 }, collections: ["none"] }, 0, 0, 0],
  ["for orders to Ghana", { gift: { kind: "percent", percent: 10 }, countries: ["Ghana"] }, 0, 0, 0],
])("%s", async (_, terms, counted, countedCents, givenCents) => {
  expect(await previewOffer(db(), offerTerms.parse(terms))).toMatchObject({ counted, countedCents, givenCents });
});
