import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  type LoaderFunction,
  StaticRouterProvider,
  UNSAFE_withComponentProps as withComponentProps,
} from "react-router";
import { expect, test } from "vitest";
import { markDelivered, markPacked, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import OrderPage, { loader } from "#app/routes/order.tsx";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";

const { db, provider, open, oneBuyer, catchUp } = useCheckout();

/** The text on the order's page of this payment. */
async function page(user: Shopper, reference: string): Promise<string> {
  const route = {
    path: "/order/:reference",
    loader: loader as LoaderFunction,
    Component: withComponentProps(OrderPage as never),
  };
  const handler = createStaticHandler([route]);
  const headers = { cookie: await cookieOf(user) };
  const context = await handler.query(new Request(`http://localhost/order/${reference}`, { headers }));
  if (context instanceof Response) throw new Error("A page was expected");
  const router = createStaticRouter(handler.dataRoutes, context);
  const html = renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
  return html.replaceAll("<!-- -->", "");
}

async function paid({ reference }: { reference: string }, change: { amount?: number; currency?: string } = {}) {
  provider.pay(reference, change);
  await settlePayment(reference);
}

/** Lets the refund of a payment succeed. */
async function arrive(reference: string): Promise<void> {
  await catchUp(reference);
  provider.finishPending("processed", reference);
  await catchUp(reference);
}

const UNDER_WAY = "on its way back to you. A mail tells you when it has arrived.";

test.each([
  ["another sum", { amount: 123_400 }, "The sum that was paid isn’t the sum of your order.", "₦1,234"],
  ["another currency", { currency: "USD", amount: 5349 }, "The payment wasn’t made in naira.", "USD 53.49"],
])(
  "after a refused payment of %s the page says what was paid, and when it is refunded",
  async (_, change, why, sum) => {
    const { user, payment } = await oneBuyer();
    await paid(payment, change);
    const goes = await page(user, payment.reference);
    expect(goes).toContain(`We couldn’t keep this order. ${why} ${sum} is ${UNDER_WAY}`);
    expect(goes).toContain("Your money goes back");
    expect(goes).not.toContain("The order itself stands.");
    await arrive(payment.reference);
    const back = await page(user, payment.reference);
    expect(back).toContain(`We couldn’t keep this order. ${why} ${sum} has gone back to you.`);
    expect(back).toContain("Your money is back");
    expect(back).not.toContain("on its way");
  },
);

test("after a failed refund the page does not say that money is on its way", async () => {
  const { user, payment } = await oneBuyer();
  await paid(payment, { amount: 123_400 });
  await catchUp(payment.reference);
  provider.finishPending("failed", payment.reference);
  await catchUp(payment.reference);
  const text = await page(user, payment.reference);
  expect(text).toContain("₦1,234 has still to go back to you.");
  expect(text).not.toContain("on its way back");
  await refundWished(db(), payment.reference);
  await arrive(payment.reference);
  expect(await page(user, payment.reference)).toContain("₦1,234 has gone back to you.");
});

test("after a part refund and a cancellation the page says what is refunded and what is not", async () => {
  const productId = await makeProduct(db(), { M: 2 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
  const payment = await open(user);
  await paid(payment);
  await refundWished(db(), payment.reference, { pieces: [{ productId, size: "M", quantity: 1 }] });
  await arrive(payment.reference);
  await refundWished(db(), payment.reference);
  const goes = await page(user, payment.reference);
  expect(goes).toContain(`>₦79,984 has gone back to you, ₦85,584 is ${UNDER_WAY}<`);
  expect(goes).toContain("Your money goes back");
  await arrive(payment.reference);
  const back = await page(user, payment.reference);
  expect(back).toContain(">₦165,568 has gone back to you.<");
  expect(back).toContain("Your money is back");
});

test("the page says that the provider reversed a payment before the shop saw it", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference, { status: "reversed" });
  await settlePayment(payment.reference);
  const text = await page(user, payment.reference);
  expect(text).toContain("Your money is back");
  expect(text).toMatch(/We couldn’t keep this order\. [^<]*₦85,584 has gone back to you\.</);
});

/**
 * An order with two payments, because the first one's opening got no response. The first one was paid and made the
 * sale.
 */
async function boughtByTheFirst() {
  provider.faulty({ on: "initialize", drop: true });
  const { user, payment } = await oneBuyer(10);
  const rows = await db().selectFrom("payments").select("reference").where("orderId", "=", payment.orderId).execute();
  const [first = "", second = ""] = rows.map(({ reference }) => reference);
  await paid({ reference: first });
  return { user, first, second };
}

test("for a second payment the page says that the order stands, and links to it", async () => {
  const { user, first, second } = await boughtByTheFirst();
  await paid({ reference: second }, { currency: "USD", amount: 5349 });
  const charged = "You were charged a second time for an order that had already been paid.";
  const goes = await page(user, second);
  expect(goes).toContain(`${charged} USD 53.49 is ${UNDER_WAY} The order itself stands.`);
  expect(goes).toContain(`href="/order/${first}"`);
  expect(goes).toContain(second);
  for (const ofTheSale of ["Thank you", "Something not right?", "could not keep"])
    expect(goes).not.toContain(ofTheSale);
  await arrive(second);
  expect(await page(user, second)).toContain(`${charged} USD 53.49 has gone back to you. The order itself stands.`);
  expect(await page(user, first)).toContain("Your order is in.");
});

test("the page of an order's unpaid attempt links to the order that another payment bought, not to the checkout", async () => {
  const { user, first, second } = await boughtByTheFirst();
  const text = await page(user, second);
  expect(text).toContain(`href="/order/${first}"`);
  expect(text).not.toContain('href="/checkout"');
});

test("for a second order that was paid in another tab the page says that it was a second charge", async () => {
  const { user, payment } = await oneBuyer(10);
  await putInCart(db(), user.id, await makeProduct(db(), { L: 10 }), "L");
  const second = await open(user);
  for (const one of [payment, second]) await paid(one);
  const text = await page(user, second.reference);
  expect(text).toContain("You were charged a second time");
  expect(text).not.toContain("could not keep");
});

test("an order's page thanks the account's owner until something has happened since the payment", async () => {
  const { user, payment } = await oneBuyer();
  await db().updateTable("users").set({ firstName: "Bola" }).where("id", "=", user.id).execute();
  await paid(payment);
  const title = async () => /<h1[^>]*>([^<]*)</.exec(await page(user, payment.reference))?.[1];
  expect(await title()).toBe("Thank you, Bola. Your order is in.");
  await markPacked(db(), payment.reference);
  expect(await title()).toBe("Packed. Waiting for the carrier.");
  await markSent(db(), payment.reference);
  expect(await title()).toBe("On its way to you.");
  await markDelivered(db(), payment.reference);
  expect(await title()).toBe("Delivered.");
  expect(await page(user, payment.reference)).toContain("Payment completed");
});
