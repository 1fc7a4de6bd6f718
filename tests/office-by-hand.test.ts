vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import type { SentOrder } from "#app/owner/orders/links/link.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { byHandOf, paidByHand, staffOrder } from "#tests/support/staff-order.ts";

const { db, catchUp, salesOf, refundsOf, oneBuyer } = useCheckout();
const ask = useOfficePages();

let cookies: string[];
let email: string;
let user: Shopper;
let order: SentOrder;

/** An order that staff have put together, and a member who may record money. */
beforeEach(async () => {
  const productId = await makeProduct(db(), { M: 8 });
  user = await makeShopper(db());
  order = await staffOrder(db(), user, productId, 2);
  ({ cookies, email } = await staffWithPasskey(db(), "orders"));
});

const page = (query = "", as = cookies) => ask(`/orders/${order.number}${query}`, as);
const paid = (form: Record<string, string> = {}, as = cookies) =>
  ask(`/orders/${order.number}?do=paid`, as, {
    ...{ intent: "paid", means: "cash", naira: "165,568", bankReference: "", key: randomUUID() },
    ...form,
  });

/** The order is paid in cash, and cancelled: its money is to be given back. */
async function toGive(): Promise<string> {
  const reference = await paidByHand(db(), order);
  await cancelOrder(db(), reference);
  await catchUp(reference);
  return reference;
}

test("without script: the panel asks how, how much and for the reference; then the order is paid, and by whom", async () => {
  const panel = await page("?do=paid");
  for (const part of ["Bank transfer", "Card terminal", "the order costs ₦165,568", "The bank’s reference"])
    expect(panel.text).toContain(part);
  const bank = randomUUID();
  const done = await paid({ means: "transfer", bankReference: bank });
  expect(done.status).toBe(200);
  expect(done.text).toContain("₦165,568 taken: bank transfer; the order is paid, and the customer is emailed.");
  expect(await salesOf(user)).toHaveLength(1);
  const { text } = await page();
  for (const part of ["Paid: Bank transfer", "To pack", "Recorded as paid by hand"]) expect(text).toContain(part);
  const taken = db().selectFrom("handTakings").selectAll().where("bankReference", "=", bank);
  expect(await taken.execute()).toMatchObject([{ takenBy: email, kobo: String(order.kobo) }]);
});

test("the same form twice is one sale", async () => {
  const key = randomUUID();
  const answers = await Promise.all([paid({ key }), paid({ key })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await salesOf(user)).toHaveLength(1);
  expect(await byHandOf(db(), order.reference)).toHaveLength(1);
});

test.each([
  ["another sum", { naira: "165,000" }, "costs ₦165,568, in cash ₦165,550, and ₦165,000 isn’t that"],
  ["no sum", { naira: "" }, "Write an amount in naira"],
  ["no means", { means: "" }, "Choose how it was paid"],
  ["a transfer without its reference", { means: "transfer" }, "Write the transfer’s reference"],
  ["a reference that is none", { means: "transfer", bankReference: "x" }, "at least 4 letters or digits"],
])("%s: it says so beside the field, and nothing is recorded", async (_, form, reason) => {
  const { status, text, forms } = await paid(form);
  expect(status).toBe(422);
  expect(text).toContain(reason);
  expect(forms.some(({ intents }) => intents.includes("paid"))).toBe(true);
  expect(await salesOf(user)).toEqual([]);
});

test("an order from the checkout can't be paid by hand", async () => {
  const { payment } = await oneBuyer();
  const { number } = await db()
    .selectFrom("orders")
    .select("number")
    .where("id", "=", payment.orderId)
    .executeTakeFirstOrThrow();
  expect((await ask(`/orders/${number}?do=paid`, cookies)).text).not.toContain("Mark as paid");
});

test("what is to be given back stands on Today, and a press says that it was given", async () => {
  const reference = await toGive();
  expect((await ask("/", cookies)).text).toContain("Money to give back by hand");
  const panel = await page("?do=given");
  expect(panel.text).toContain("₦165,568 goes back to the customer by hand. It came as: cash.");
  const kobo = String(order.kobo);
  const other = await ask(`/orders/${order.number}?do=given`, cookies, { intent: "given", kobo: "100" });
  expect([other.status, other.text]).toEqual([422, expect.stringContaining("Check it again")]);
  const done = await ask(`/orders/${order.number}?do=given`, cookies, { intent: "given", kobo, bankReference: "" });
  expect(done.text).toContain("₦165,568 given back by hand; the customer is emailed.");
  expect(await refundsOf(reference)).toMatchObject([{ state: "done" }]);
  expect((await page()).text).toContain("Refunded");
  expect((await ask("/", cookies)).text).not.toContain("Money to give back by hand");
});

test("a bookkeeper sees how it was paid and what goes back, and records nothing", async () => {
  const { cookies: theirs } = await staffWithPasskey(db(), "bookkeeper");
  expect((await page("?do=paid", theirs)).text).not.toContain("Mark as paid");
  expect((await paid({}, theirs)).status).toBe(403);
  await toGive();
  const seen = await page("?do=given", theirs);
  expect(seen.text).toContain("Paid: Cash");
  expect(seen.text).not.toContain("as given back");
  expect((await ask("/money/takings", theirs)).status).toBe(200);
});

test("a packer sees neither", async () => {
  const { cookies: theirs } = await staffWithPasskey(db(), "packer");
  await toGive();
  const { text } = await page("?do=given", theirs);
  for (const part of ["Paid: Cash", "by hand"]) expect(text).not.toContain(part);
});

test("the takings have a line for each way of paying", async () => {
  await paid();
  const second = await staffOrder(db(), user, await makeProduct(db(), { M: 8 }));
  await paidByHand(db(), second, { means: "terminal" });
  const { cookies: theirs } = await staffWithPasskey(db(), "bookkeeper");
  const { text } = await ask("/money/takings", theirs);
  for (const part of ["Paid by", "Cash", "Card terminal"]) expect(text).toContain(part);
});
