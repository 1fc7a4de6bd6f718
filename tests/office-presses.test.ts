vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { recordIssue } from "#app/orders/issues.server.ts";
import { markPacked, markReady, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { approveReturn, receiveReturn } from "#app/owner/returns/returns.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { type OfficePage, type ShownForm, useOfficePages } from "#tests/support/office-pages.ts";
import { PRESSES } from "#tests/support/office-presses.ts";
import { asked, OFFICE as BY, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";

const checkout = useCheckout();
const { db, provider, oneBuyer, openPickUp } = checkout;
const ask = useOfficePages();

/** The intents that each panel of an order sends. */
const PANELS = {
  refund: "refund",
  give: "give",
  address: "address",
  send: "send",
  ready: "ready",
  deliver: "deliver",
  return: "return",
  cancel: "cancel",
  size: "size",
  mail: "resend",
  paid: "paid",
  given: "given",
};

type Shown = { route: string; address: string; page: OfficePage };
const shown: Shown[] = [];

beforeAll(async () => {
  const orders = await ordersAtEachStage();
  const returns = await returnsAtEachStep();
  for (const at of [1, 2]) await refusedMail(at);
  await recordIssue(db(), `strange-${randomUUID()}`, "unknown-reference");
  const { cookies } = await staffWithPasskey(db(), "owner");
  const ofOrder = (number: string) => [
    `/orders/${number}`,
    ...Object.keys(PANELS).map((panel) => `/orders/${number}?do=${panel}`),
  ];
  const places: [route: string, address: string][] = [
    ...orders.flatMap(ofOrder).map((address): [string, string] => ["order", address]),
    ...returns.map((number): [string, string] => ["return", `/returns/${number}`]),
    ["orders-steps", `/orders/steps?do=ready&numbers=${orders.join(",")}`],
    ["money-issues", "/money/issues"],
    ["mails", "/mails"],
  ];
  // One after the other: of more than a hundred at once, some would wait too long for a connection and be refused.
  for (const [route, address] of places) {
    const page = await ask(address, cookies);
    expect(page.status, address).toBe(200);
    shown.push({ route, address, page });
  }
});

/**
 * The numbers of orders at each stage: waiting, packed, sent, ready, delivered, disputed, with a failed refund, and two
 * that are paid by hand.
 */
async function ordersAtEachStage(): Promise<string[]> {
  const sold = async ({ reference }: { reference: string }) => {
    provider.pay(reference);
    await settlePayment(reference);
    return reference;
  };
  const unpaid = (await oneBuyer()).payment.reference;
  const [packed, sent, disputed] = await Promise.all(
    Array.from({ length: 3 }, async () => sold((await oneBuyer()).payment)),
  );
  const productId = await makeProduct(db(), { M: 1, L: 1 });
  const fresh = await sold(await checkout.open(await makeShopper(db(), { productId, size: "M" })));
  const [waiting, ready] = await Promise.all([openPickUp(), openPickUp()].map(async (opened) => sold(await opened)));
  const { reference: arrived } = await delivered(checkout);
  const all = [unpaid, fresh, packed, sent, disputed, waiting, ready, arrived].map((one) => one ?? "");
  await markPacked(db(), packed ?? "");
  await markPacked(db(), waiting ?? "");
  await markSent(db(), sent ?? "");
  await markReady(db(), ready ?? "");
  await recordIssue(db(), disputed ?? "", "dispute");
  await recordIssue(db(), sent ?? "", "refund-failed");
  all.push(...(await ordersByHand()));
  const rows = await db()
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select("number")
    .where("reference", "in", all)
    .execute();
  return rows.map(({ number }) => number);
}

/** Payments of orders that staff have put together: one waits for its money, one was paid by hand and cancelled. */
async function ordersByHand(): Promise<string[]> {
  const productId = await makeProduct(db(), { M: 8 });
  const [waiting, paid] = [await newStaffOrder(productId), await newStaffOrder(productId)];
  const reference = await paidByHand(db(), paid);
  await cancelOrder(db(), reference);
  return [waiting.reference, reference];
}

const newStaffOrder = async (productId: string) => staffOrder(db(), await makeShopper(db()), productId);

/** The numbers of returns at each step: waiting for an answer, for the pieces, for the money, for the other size. */
async function returnsAtEachStep(): Promise<string[]> {
  const one = async (newSize: string | null = null) => asked(db(), await delivered(checkout), { newSize });
  const numbers = await Promise.all([one(), one(), one(), one("L")]);
  const [, approved = "", received = "", exchange = ""] = numbers;
  for (const number of [approved, received]) await approveReturn(db(), number, { by: BY, waive: false });
  await receiveReturn(db(), received, { by: BY });
  await approveReturn(db(), exchange, { by: BY, waive: true });
  return numbers;
}

async function refusedMail(at: number): Promise<void> {
  const mail = { idempotencyKey: randomUUID(), recipient: `ada${at}@example.com`, kind: "order-sent", data: "{}" };
  await db()
    .insertInto("outbox")
    .values({ ...mail, messageId: randomUUID(), state: "failed" })
    .execute();
}

/** The forms with this intent, each with its address and whether it is in a panel that a press has opened. */
function formsOf(name: string): (ShownForm & { address: string; isPanel: boolean })[] {
  const [route, intent = ""] = name.split(" ");
  return shown
    .filter((one) => one.route === route)
    .flatMap(({ address, page }) => {
      const panel = new URL(address, "http://office").searchParams.get("do") as keyof typeof PANELS | null;
      const forms = page.forms.filter(({ intents }) => intents.includes(intent));
      return forms.map((form) => ({ ...form, address, isPanel: panel !== null && PANELS[panel] === intent }));
    });
}

const ASKS = Object.entries(PRESSES).filter(([, how]) => how === "panel" || how === "question");

test.each(ASKS)("41 %s asks first", (name, how) => {
  const forms = formsOf(name);
  expect(forms).not.toEqual([]);
  const isAsked = ({ isPanel, isFolded }: (typeof forms)[number]) => (how === "panel" ? isPanel : isFolded);
  expect(forms.filter((form) => !isAsked(form)).map(({ address }) => address)).toEqual([]);
});

test("41 what takes something away is never an order's black button, and a disputed order has none", () => {
  const heads = shown.filter(({ route, address }) => route === "order" && !address.includes("?"));
  const solid = heads.map(({ page }) => page.solid.join(" ").replace(/^.*\?do=/, "")).sort();
  expect(solid).toEqual(["", "", "", "", "", "deliver", "deliver", "pack", "ready", "send"]);
});
