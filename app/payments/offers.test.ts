import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import type { GuestItem } from "#app/cart/guest-item.ts";
import { setCode } from "#app/cart/offers/code.server.ts";
import { getCart, priceGuestCart } from "#app/cart/read.server.ts";
import { importSale } from "#app/orders/past/import.server.ts";
import { readSaleDocument } from "#app/orders/past/sale.ts";
import { priceLines, quote, readAsked } from "#app/orders/quote.server.ts";
import { removeProduct, setCollections } from "#app/owner/collections/collections.server.ts";
import { forgetCustomer } from "#app/owner/customers/customers.server.ts";
import type { ShippingForm } from "#app/shipping/shipping.ts";
import type { CollectionRule, ProductKind } from "#db/types.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { newId } from "#tests/support/ids.ts";
import { endOffers, makeOffer } from "#tests/support/offers.ts";
import { OFFICE } from "#tests/support/returns.ts";
import { lagosForm, makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { settlePayment } from "./settle.server.ts";
import { closePayment } from "./status.server.ts";

const { db, provider, pay, open, salesOf, stockOf, expire, issuesOf, statesOf } = useCheckout({ max: 20 });
afterEach(() => endOffers(db()));

const TEN = { gift: { kind: "percent", percent: 10 } } as const;
const DELIVERY = 350;

/**
 * A shopper with `quantity` pieces of a product in the cart, in size M at $50 each, and with the code, if one is given.
 */
async function shopper(quantity = 1, code?: string, productId?: string): Promise<Shopper & { productId: string }> {
  const id = productId ?? (await makeProduct(db(), { M: 100 }, 5000));
  const user = await makeShopper(db(), { productId: id, size: "M", quantity });
  if (code) await setCode(db(), user.id, code);
  return { ...user, productId: id };
}

/** The sums and the code that the shopper is shown. A press on Pay agrees to these sums. */
async function shown(user: Shopper) {
  const { sums, rate, offers } = await quote(db(), user.id);
  const delivery = offers?.freeDelivery ? 0 : DELIVERY;
  const total = BigInt(sums.totalCents + delivery) * rate;
  return {
    shownCents: sums.subtotalCents,
    agreedKobo: Number((total + 99_999_999n) / 100_000_000n) * 100,
    code: offers?.code,
  };
}

async function press(user: Shopper) {
  const { shownCents, agreedKobo } = await shown(user);
  return pay(user, { shownCents, agreedKobo });
}

const orderOf = ({ id }: Shopper) =>
  db().selectFrom("orders").selectAll().where("userId", "=", id).orderBy("createdAt", "desc").executeTakeFirstOrThrow();
const usedOf = async (id: number) =>
  (await db().selectFrom("offers").select("used").where("id", "=", id).executeTakeFirstOrThrow()).used;
const heldOf = async (id: number) =>
  (await db().selectFrom("offerUses").select("held").where("offerId", "=", id).execute()).filter(({ held }) => held)
    .length;

async function buy(user: Shopper): Promise<string> {
  const opened = await press(user);
  if (!opened.ok) throw new Error(opened.problem);
  provider.pay(opened.reference);
  expect(await settlePayment(opened.reference)).toMatchObject({ outcome: "sold" });
  return opened.reference;
}

describe("an order under an offer", () => {
  test("has the offer in the prices of its lines, in the sale and in the charge", async () => {
    await makeOffer(db(), TEN);
    const user = await shopper(2);
    const opened = await press(user);
    expect(opened).toMatchObject({ ok: true, kobo: (9000 + DELIVERY) * 1600 });
    expect(await orderOf(user)).toMatchObject({
      subtotalCents: 9000,
      totalCents: 9350,
      lines: [{ priceCents: 4500, fullCents: 5000, offerNames: ["10% off"], quantity: 2 }],
    });
    provider.pay(opened.ok ? opened.reference : "");
    await settlePayment(opened.ok ? opened.reference : "");
    expect(await salesOf(user)).toMatchObject([{ subtotalCents: 9000, totalCents: 9350 }]);
  });

  test("has full prices and uses nothing without an offer", async () => {
    const user = await shopper();
    await open(user);
    const { id, lines } = await orderOf(user);
    expect(lines[0]).not.toHaveProperty("fullCents");
    expect(await db().selectFrom("offerUses").where("orderId", "=", id).select("orderId").execute()).toEqual([]);
  });

  test("refunds for each piece what it cost, so that all three pieces are what was paid", async () => {
    await makeOffer(db(), { gift: { kind: "set", buy: 2, get: 1, percent: 100 } });
    const user = await shopper(3);
    const reference = await buy(user);
    const piece = { productId: user.productId, size: "M", quantity: 1 };
    for (let piecesBack = 0; piecesBack < 3; piecesBack++)
      expect(await refundWished(db(), reference, { pieces: [piece] })).toMatchObject({ ok: true });
    const refunds = await db().selectFrom("refunds").select("kobo").where("reference", "=", reference).execute();
    expect(refunds.map(({ kobo }) => Number(kobo)).reduce((sum, kobo) => sum + kobo, 0)).toBe(
      Number((await orderOf(user)).kobo) - DELIVERY * 1600,
    );
  });

  test("keeps its sums when the offer is over, and is the same order at the next press", async () => {
    await makeOffer(db(), TEN);
    const user = await shopper();
    const seen = await shown(user);
    const first = await pay(user, seen);
    await endOffers(db());
    expect(await pay(user, seen)).toEqual(first);
  });

  test("has free delivery, and the total says so", async () => {
    await makeOffer(db(), { gift: { kind: "delivery" }, from: { cents: 5000 } }, { name: "Free delivery" });
    const user = await shopper();
    await press(user);
    expect(await orderOf(user)).toMatchObject({
      shippingCents: 0,
      totalCents: 5000,
      shipping: { shippingCost: "0.00" },
    });
  });

  test("an offer in naira is taken off at the order's rate", async () => {
    await makeOffer(db(), { gift: { kind: "sum", off: { kobo: 500_000 } } });
    const user = await shopper();
    await press(user);
    expect(await orderOf(user)).toMatchObject({ subtotalCents: 5000 - 313 }); // ₦5,000 is $3.125
  });
});

describe("an offer that ends between the cart and Pay", () => {
  const end = (id: number) =>
    sql`update offers set starts_at = now() - interval '1 hour', ends_at = now() where id = ${id}`.execute(db());

  test.each<[string, (id: number, code: string) => unknown]>([
    ["an offer that was paused", () => endOffers(db())],
    ["an offer that has ended", end],
    ["a code that is used up", async (_, code) => press(await shopper(1, code))],
  ])("%s is answered like a changed sum, and nothing is reserved", async (name, happens) => {
    const code = name.replaceAll(" ", "");
    const id = await makeOffer(db(), TEN, { code, mostUses: 1 });
    const user = await shopper(1, code);
    const seen = await shown(user);
    expect(seen).toMatchObject({ shownCents: 4500, code: { counts: true } });
    await happens(id, code);
    expect(await pay(user, seen)).toMatchObject({ ok: false, problem: "stale-total", sums: { subtotalCents: 5000 } });
    expect(await stockOf(user.productId)).toMatchObject({ reserved: 0 });
    expect((await shown(user)).code).toMatchObject({ code, counts: false, why: "unknown" });
  });
});

describe("an offer on a collection", () => {
  /** A hidden collection with these products and perhaps a rule. */
  async function collectionOf(products: string[], rule: CollectionRule | null = null): Promise<string> {
    const id = `summer-${newId()}`;
    await setCollections(db(), OWNER, [{ id, name: "Summer", words: "", rule, hidden: true, products }]);
    return id;
  }

  test.each<[string, CollectionRule | null, number]>([
    ["was put in", null, 4500],
    ["is in by its rule", { kind: "tees", colors: ["green"], minCents: 5000, maxCents: 5000, newDays: 1 }, 4500],
    ["is of another colour than the rule's", { colors: ["red"] }, 5000],
    ["costs more than the rule says", { maxCents: 4999 }, 5000],
    ["is not on sale", { onSale: true }, 5000],
  ])("is the same in every cart for a product that %s", async (_, rule, priceCents) => {
    const user = await shopper();
    const { productId } = user;
    const change = { color: "Palm Green", kinds: sql<ProductKind[]>`'{tees}'::text[]` };
    await db().updateTable("products").set(change).where("id", "=", productId).execute();
    const other = await makeProduct(db(), { M: 9 }, 7000);
    const lines = [productId, other].map((id) => ({ productId: id, size: "M", quantity: 1 }));
    await putInCart(db(), user.id, other, "M");
    await makeOffer(db(), { ...TEN, collections: [await collectionOf(rule ? [] : [productId], rule)] });

    const expected = new Map([
      [productId, priceCents],
      [other, 7000],
    ]);
    const quoted = await quote(db(), user.id);
    const pricesOf = (all: { productId: string; priceCents: number }[]) =>
      new Map(all.map((one) => [one.productId, one.priceCents]));
    expect(pricesOf(quoted.lines)).toEqual(expected);
    for (const line of quoted.lines) expect(line).not.toHaveProperty("collections");
    const asked = await readAsked(db(), null, lines);
    expect(pricesOf(priceLines(asked.lines, asked.offers, quoted.rate).lines)).toEqual(expected);
    const items = lines.map(
      (line): GuestItem => ({
        ...{ id: line.productId, title: "", price: 50, color: "Green", sizes: "M", selectedSize: "M", quantity: 1 },
        ...{ images: "", name: "", addedAt: new Date().toISOString() },
      }),
    );
    for (const cart of [await getCart(db(), user.id), await priceGuestCart(db(), items)])
      expect(new Map(cart.lines.map((line) => [line.id, line.priceCents]))).toEqual(expected);
  });

  test("needs agreement to the new sum if the product was removed between the cart and Pay, and nothing is reserved", async () => {
    const user = await shopper();
    const collection = await collectionOf([user.productId]);
    await makeOffer(db(), { ...TEN, collections: [collection] });
    const seen = await shown(user);
    expect(seen.shownCents).toBe(4500);
    await removeProduct(db(), OWNER, collection, user.productId);
    expect(await pay(user, seen)).toMatchObject({ ok: false, problem: "stale-total", sums: { subtotalCents: 5000 } });
    expect(await stockOf(user.productId)).toMatchObject({ reserved: 0 });
    expect(await press(user)).toMatchObject({ ok: true, kobo: (5000 + DELIVERY) * 1600 });
  });

  test("keeps the products that it had at Pay for late payments", async () => {
    const user = await shopper();
    const collection = await collectionOf([user.productId]);
    await makeOffer(db(), { ...TEN, collections: [collection] });
    const opened = await press(user);
    if (!opened.ok) throw new Error(opened.problem);
    await expire(opened.orderId);
    expect(await settlePayment(opened.reference)).toEqual({ outcome: "unpaid" });
    await removeProduct(db(), OWNER, collection, user.productId);
    provider.pay(opened.reference);
    expect(await settlePayment(opened.reference)).toMatchObject({ outcome: "sold" });
    expect(await salesOf(user)).toMatchObject([{ subtotalCents: 4500 }]);
  });

  test("is hidden from a process of the previous version, which would apply it to everything", async () => {
    await makeOffer(db(), { ...TEN, collections: [await collectionOf([])] });
    const plain = await makeOffer(db(), TEN);
    const { rows } = await sql<{ offers: { offers: { id: number }[] } }>`
      select offers_for(null, null) as offers`.execute(db());
    expect(rows[0]?.offers.offers.map(({ id }) => id)).toEqual([plain]);
  });

  test("keeps its collection when a process of the previous version changes the offer", async () => {
    const id = await makeOffer(db(), { ...TEN, collections: [await collectionOf([])] });
    const change = (terms: object) =>
      db()
        .updateTable("offers")
        .set({ terms: JSON.stringify(terms) })
        .where("id", "=", id)
        .execute();
    await expect(change(TEN)).rejects.toThrow("is about collections");
    await change({ ...TEN, collections: [] });
    await change(TEN);
  });
});

describe("the last use", () => {
  test("goes to one of 50 shoppers who press at once, and 49 are told before paying", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1, code: "LAST-ONE" });
    const productId = await makeProduct(db(), { M: 100 }, 5000);
    const shoppers = await Promise.all(Array.from({ length: 50 }, () => shopper(1, "last one", productId)));
    const seen = await Promise.all(shoppers.map(shown));
    expect(seen.every(({ shownCents }) => shownCents === 4500)).toBe(true);
    const answers = await Promise.all(shoppers.map((user, at) => pay(user, seen[at])));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter((one) => !one.ok && one.problem === "stale-total")).toHaveLength(49);
    expect([await usedOf(id), await heldOf(id)]).toEqual([1, 1]);
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
  });

  test("of a single-use code counts once, however the code is written", async () => {
    await makeOffer(db(), TEN, { code: "RADIO-0I7", codeUses: 1 });
    const first = await shopper(1, "radio o17");
    const second = await shopper(1, "RADI0OI7");
    expect(await press(first)).toMatchObject({ ok: true });
    expect(await shown(second)).toMatchObject({ shownCents: 5000, code: { counts: false } });
  });

  test("stays with the shopper whose order holds it", async () => {
    await makeOffer(db(), TEN, { mostUses: 1, code: "MINE" });
    const user = await shopper(1, "MINE");
    const first = await press(user);
    expect(await press(user)).toEqual(first);
    await setCode(db(), user.id, "mine"); // another version of the cart, so another order
    expect(await press(user)).toMatchObject({ ok: true, kobo: (4500 + DELIVERY) * 1600 });
  });

  test("is free again when the order ends or is cancelled before packing", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1 });
    const first = await shopper();
    const opened = await press(first);
    expect(await usedOf(id)).toBe(1);
    await closePayment(db(), first.id, opened.ok ? opened.reference : "");
    expect([await usedOf(id), await heldOf(id)]).toEqual([0, 0]);
    const second = await shopper();
    const reference = await buy(second);
    expect(await usedOf(id)).toBe(1);
    await refundWished(db(), reference);
    expect(await usedOf(id)).toBe(0);
  });

  test("is not freed by a refund of a packed order", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1 });
    const reference = await buy(await shopper());
    await db().updateTable("sales").set({ packedAt: new Date() }).where("reference", "=", reference).execute();
    await refundWished(db(), reference);
    expect(await usedOf(id)).toBe(1);
  });
});

describe("a shopper whose last three orders lapsed", () => {
  async function lapsedThrice() {
    const user = await shopper();
    for (let count = 0; count < 3; count++) {
      const opened = await press(user);
      if (!opened.ok) throw new Error(opened.problem);
      await expire(opened.orderId);
      await settlePayment(opened.reference);
    }
    return user;
  }
  const payUnheld = async (user: Shopper) => {
    const opened = await pay(user, { ...(await shown(user)), agreesToNoHold: true });
    if (!opened.ok) throw new Error(opened.problem);
    provider.pay(opened.reference);
    return opened.reference;
  };

  test("takes the use of an offer only when the order is paid", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1 });
    const user = await lapsedThrice();
    expect(await pay(user, await shown(user))).toEqual({
      ok: false,
      problem: "holds-nothing",
      unheld: "stockAndOffers",
    });
    expect(await quote(db(), user.id)).toMatchObject({ unheld: "stockAndOffers" });
    const reference = await payUnheld(user);
    expect([await usedOf(id), await heldOf(id)]).toEqual([0, 0]);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    expect([await usedOf(id), await heldOf(id)]).toEqual([1, 1]);
  });

  test("gets a refund if the last use was taken before", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1 });
    const reference = await payUnheld(await lapsedThrice());
    await buy(await shopper());
    expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
    expect(await issuesOf(reference)).toEqual(["price-risen"]);
    expect(await usedOf(id)).toBe(1);
  });
});

describe("a payment that comes late", () => {
  async function lapsed(id?: number) {
    const user = await shopper();
    const opened = await press(user);
    if (!opened.ok) throw new Error(opened.problem);
    await expire(opened.orderId);
    expect(await settlePayment(opened.reference)).toEqual({ outcome: "unpaid" });
    if (id) expect(await usedOf(id)).toBe(0);
    return { user, reference: opened.reference };
  }

  test("is sold with the offer at the time of Pay, which has ended since", async () => {
    await makeOffer(db(), TEN);
    const { user, reference } = await lapsed();
    await endOffers(db());
    provider.pay(reference);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    expect(await salesOf(user)).toMatchObject([{ subtotalCents: 4500 }]);
  });

  test("takes its use again", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1 });
    const { reference } = await lapsed(id);
    provider.pay(reference);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    expect([await usedOf(id), await heldOf(id)]).toEqual([1, 1]);
  });

  test("is refunded if no use is left, and takes neither a piece nor a use", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1 });
    const { user, reference } = await lapsed(id);
    await buy(await shopper());
    provider.pay(reference);
    expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
    expect(await issuesOf(reference)).toEqual(["price-risen"]);
    expect(await usedOf(id)).toBe(1);
    expect(await stockOf(user.productId)).toEqual({ sold: 0, reserved: 0, onHand: 100 });
    expect(await statesOf(user)).toEqual(["refunding"]);
  });

  test("does not end a newer order that is being paid if its use is gone", async () => {
    const id = await makeOffer(db(), TEN, { mostUses: 1 });
    const { user, reference } = await lapsed(id);
    await buy(await shopper());
    expect(await press(user)).toMatchObject({ ok: true });
    provider.pay(reference);
    expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
    expect(await statesOf(user)).toEqual(["refunding", "open"]);
    expect(await stockOf(user.productId)).toEqual({ sold: 0, reserved: 1, onHand: 100 });
  });

  test("is refunded if the price has risen, with or without an offer", async () => {
    await makeOffer(db(), TEN);
    const { user, reference } = await lapsed();
    await db().updateTable("products").set({ priceCents: 5100 }).where("id", "=", user.productId).execute();
    provider.pay(reference);
    expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
  });
});

describe("who an offer is for", () => {
  test("once a shopper: by account", async () => {
    await makeOffer(db(), { ...TEN, oncePerShopper: true });
    const user = await shopper();
    await buy(user);
    await db()
      .insertInto("cartLines")
      .values({ userId: user.id, productId: user.productId, size: "M", color: "Green", quantity: 1, priceCents: 5000 })
      .execute();
    expect(await shown(user)).toMatchObject({ shownCents: 5000 });
  });

  const OTHER = { email: "other@example.com", phoneNumber: "08099999999" };

  test.each<[string, Partial<ShippingForm>]>([
    ["phone number", { email: OTHER.email }],
    ["email address, in other letters", { email: "ADA@Example.com", phoneNumber: OTHER.phoneNumber }],
  ])("once a shopper: by %s of the checkout, from another account", async (_, same) => {
    await makeOffer(db(), { ...TEN, oncePerShopper: true });
    const first = await shopper();
    const opened = await pay(first, { ...(await shown(first)), form: { ...lagosForm, email: "ada@example.com" } });
    provider.pay(opened.ok ? opened.reference : "");
    await settlePayment(opened.ok ? opened.reference : "");
    const second = await shopper();
    const seen = await shown(second);
    expect(seen.shownCents).toBe(4500);
    const form = { ...lagosForm, ...same };
    expect(await pay(second, { ...seen, form })).toMatchObject({
      problem: "stale-total",
      sums: { subtotalCents: 5000 },
    });
    expect(await pay(second, { ...(await shown(second)), form })).toMatchObject({ ok: true }); // at what is shown now
    expect(await orderOf(second)).toMatchObject({ subtotalCents: 5000 });
  });

  test("once a shopper: also after the account was deleted", async () => {
    await makeOffer(db(), { ...TEN, oncePerShopper: true });
    const first = await shopper();
    const reference = await buy(first);
    await db().updateTable("sales").set({ fulfilledAt: new Date() }).where("reference", "=", reference).execute();
    expect(await forgetCustomer(db(), OFFICE, first.id)).toMatchObject({ ok: true });
    const again = await shopper();
    await db().updateTable("users").set({ email: first.email }).where("id", "=", again.id).execute();
    expect(await shown(again)).toMatchObject({ shownCents: 5000 });
    const uses = await db().selectFrom("offerUses").selectAll().execute();
    expect(JSON.stringify(uses)).not.toContain(first.email);
  });

  test("a first order: by phone number, too", async () => {
    await buy(await shopper());
    await makeOffer(db(), { ...TEN, firstOrderOnly: true });
    const second = await shopper();
    const seen = await shown(second);
    expect(await pay(second, seen)).toMatchObject({ problem: "stale-total", sums: { subtotalCents: 5000 } });
    expect(await shown(second)).toMatchObject({ shownCents: 5000 });
    const form = { ...lagosForm, ...OTHER };
    expect(await pay(second, { ...seen, form })).toMatchObject({ ok: true });
  });

  test("a first order: not after an earlier sale that was not refunded", async () => {
    const user = await shopper();
    const reference = await buy(user);
    await makeOffer(db(), { ...TEN, firstOrderOnly: true });
    await db()
      .insertInto("cartLines")
      .values({ userId: user.id, productId: user.productId, size: "M", color: "Green", quantity: 1, priceCents: 5000 })
      .execute();
    expect(await shown(user)).toMatchObject({ shownCents: 5000 });
    await refundWished(db(), reference);
    expect(await shown(await shopper())).toMatchObject({ shownCents: 4500 });
  });

  test("a first order: an imported sale is one, too, however its phone number is written", async () => {
    const sale = readSaleDocument({
      customerDetails: {
        name: "Bola Ade",
        email: "bola@elsewhere.example",
        shippingAddress: { country: "Nigeria", state: "Lagos", phoneNumber: "+234 (0) 807-654 3210" },
      },
      products: [{ id: "jersey", price: 20, quantity: 1 }],
      paymentDetails: { reference: "moved-in-by-phone", amount: 32_000, paymentMethod: "Cash" },
      totalAmount: 20,
    });
    await db()
      .transaction()
      .execute((trx) => importSale(trx, sale));
    await makeOffer(db(), { ...TEN, firstOrderOnly: true });
    const user = await shopper();
    const seen = await shown(user);
    expect(seen.shownCents).toBe(4500);
    const form = { ...lagosForm, ...OTHER, phoneNumber: "08076543210" };
    expect(await pay(user, { ...seen, form })).toMatchObject({
      problem: "stale-total",
      sums: { subtotalCents: 5000 },
    });
  });

  test("named customers alone", async () => {
    const user = await shopper();
    await makeOffer(db(), { ...TEN, customers: [user.email] });
    expect(await shown(user)).toMatchObject({ shownCents: 4500 });
    expect(await shown(await shopper())).toMatchObject({ shownCents: 5000 });
  });

  test("a country: the checkout says when it is another one", async () => {
    await makeOffer(db(), { ...TEN, countries: ["Ghana"] });
    const user = await shopper();
    const seen = await shown(user);
    expect(seen.shownCents).toBe(4500);
    expect(await pay(user, seen)).toMatchObject({ ok: false, problem: "stale-total", sums: { subtotalCents: 5000 } });
    expect(await shown(user)).toMatchObject({ shownCents: 5000 });
    expect(await press(user)).toMatchObject({ ok: true });
  });
});
