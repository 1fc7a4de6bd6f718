import { beforeEach, describe, expect, test } from "vitest";
import { markDelivered, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { newsHtml } from "./html.server.tsx";
import { dismissGreeting, hasNews, newsFor } from "./news.server.ts";
import type { News } from "./news.ts";

const { db, provider, open, oneBuyer, expire } = useCheckout();

const newsOf = (user: Shopper) => newsFor(db(), user.id);

const linesOf = ({ id }: Shopper) => db().selectFrom("orders").select("lines").where("userId", "=", id);
const setLines = ({ id }: Shopper, lines: object[]) =>
  db()
    .updateTable("orders")
    .set({ lines: JSON.stringify(lines) })
    .where("userId", "=", id)
    .execute();

beforeEach(withinOneDay);

async function sold() {
  const story = await oneBuyer(3);
  await db().updateTable("users").set({ firstName: "Bola" }).where("id", "=", story.user.id).execute();
  provider.pay(story.payment.reference);
  await settlePayment(story.payment.reference);
  return { ...story, reference: story.payment.reference };
}

describe("the home page greets with a new order", () => {
  test("by the account's name, with number, sum and next steps, until it is dismissed", async () => {
    const { user, reference } = await sold();
    expect(await hasNews(db(), user.id)).toBe(true);
    expect(await newsOf(user)).toMatchObject({
      sale: {
        reference,
        number: expect.stringMatching(/^IR-/),
        title: "Thank you, Bola. Your order is in.",
        sum: "₦85,584",
        paid: expect.stringMatching(/^today at \d\d:\d\d$/),
        steps: [{ name: "Paid", is: "past" }, { name: "We pack it", is: "now" }, { name: "It travels to you" }],
      },
      awaited: null,
    });
    await dismissGreeting(db(), user.id, reference);
    await dismissGreeting(db(), user.id, reference);
    expect([await hasNews(db(), user.id), await newsOf(user)]).toEqual([false, null]);
  });

  test("for nobody else, and nobody else can dismiss it", async () => {
    const { user, reference } = await sold();
    const other = await makeShopper(db());
    expect([await hasNews(db(), other.id), await newsOf(other)]).toEqual([false, null]);
    await dismissGreeting(db(), other.id, reference);
    expect(await hasNews(db(), user.id)).toBe(true);
  });

  test("only for the newest one; a dismissal also covers earlier orders, but not later ones", async () => {
    const { user, productId, reference: first } = await sold();
    await putInCart(db(), user.id, productId, "M");
    const { reference: second } = await open(user);
    provider.pay(second);
    await settlePayment(second);
    await dismissGreeting(db(), user.id, first);
    expect((await newsOf(user))?.sale?.reference).toBe(second);
    await dismissGreeting(db(), user.id, second);
    expect(await newsOf(user)).toBeNull();
  });

  test("not for a refunded or delivered one", async () => {
    const { user, reference } = await sold();
    await markSent(db(), reference);
    const sale = (await newsOf(user))?.sale;
    expect(sale?.steps.at(-1)).toMatchObject({ name: "Sent", is: "past" });
    expect([sale?.title, sale?.email]).toEqual(["On its way to you.", null]); // no thanks, and no receipt to come
    await markDelivered(db(), reference);
    expect([await hasNews(db(), user.id), await newsOf(user)]).toEqual([false, null]);
    const other = await sold();
    await refundWished(db(), other.reference);
    expect([await hasNews(db(), other.user.id), await newsOf(other.user)]).toEqual([false, null]);
  });

  test("without thanks once a part is refunded, and not at all once nothing will be sent", async () => {
    const productId = await makeProduct(db(), { M: 3 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
    const { reference } = await open(user);
    provider.pay(reference);
    await settlePayment(reference);
    expect((await newsOf(user))?.sale).toMatchObject({ title: "Thank you. Your order is in." });
    const one = { pieces: [{ productId, size: "M", quantity: 1 }] };
    await refundWished(db(), reference, one);
    expect((await newsOf(user))?.sale).toMatchObject({ title: "Paid. We’re packing it.", email: null });
    await refundWished(db(), reference, one);
    expect([await hasNews(db(), user.id), await newsOf(user)]).toEqual([false, null]);
    await db().updateTable("sales").set({ fulfilledAt: new Date() }).where("reference", "=", reference).execute();
    expect((await newsOf(user))?.sale?.title).toBe("On its way to you."); // it had left already
  });

  test("with the mail address, and at most six pictures: each once, with its product's name", async () => {
    const { user } = await sold();
    const image = (at: number) => ({ hash: `hash-${at}`, width: 8, height: 10, alt: "", background: "#fff" });
    const { lines: bought } = await linesOf(user).executeTakeFirstOrThrow();
    const shown = [1, undefined, 1, 2, 3, 4, 5, 6, 7].map((at) => ({ title: `T${at}`, image: at ? image(at) : null }));
    await setLines(user, shown);
    const { email = "", pictures = [] } = (await newsOf(user))?.sale ?? {};
    expect(email).toBe("ada@example.com");
    expect(pictures).toEqual([1, 2, 3, 4, 5, 6].map((at) => ({ ...image(at), alt: `T${at}` })));
    await setLines(user, bought);
  });

  test("S49 with a shopper's input escaped", async () => {
    const { user, reference } = await sold();
    const news = await newsOf(user);
    if (!news?.sale) throw new Error("no news");
    const evil: News = { ...news, sale: { ...news.sale, title: "<img src=x>" } };
    const html = newsHtml(evil);
    expect(html).not.toContain("<img");
    for (const part of [news.sale.number, `/order/${reference}`, 'method="post"', "Dismiss"])
      expect(html).toContain(part);
  });
});

test("the home page says that money is on its way, until it has arrived", async () => {
  const { user, payment } = await oneBuyer();
  expect(await newsOf(user)).toBeNull();
  provider.pay(payment.reference, { status: "pending" });
  await settlePayment(payment.reference);
  expect(await hasNews(db(), user.id)).toBe(true);
  expect(await newsOf(user)).toMatchObject({
    sale: null,
    awaited: {
      reference: payment.reference,
      number: expect.stringMatching(/^IR-/),
      sum: "₦85,584",
      started: expect.stringMatching(/^today at/),
      heldUntil: expect.stringMatching(/^\d\d:\d\d$/),
      lookedAt: expect.stringMatching(/^\d\d:\d\d$/),
    },
  });
  await expire(payment.orderId);
  expect((await newsOf(user))?.awaited).toMatchObject({ heldUntil: null });
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  expect(await newsOf(user)).toMatchObject({ sale: { reference: payment.reference }, awaited: null });
});
