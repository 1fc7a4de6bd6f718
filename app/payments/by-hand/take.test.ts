import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Means } from "#app/by-hand/means.ts";
import { retryingTransaction } from "#app/infra/database/db.server.ts";
import { toSaleDocument } from "#app/orders/document.ts";
import { listSold } from "#app/orders/history.server.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import type { SentOrder } from "#app/owner/orders/links/link.server.ts";
import { viewOrder } from "#app/owner/orders/view.server.ts";
import { reviewProvider } from "#app/owner/provider-review.server.ts";
import { takingsByMeans } from "#app/owner/sales-report.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { byHandOf, orderIdOf, paidByHand, staffOrder } from "#tests/support/staff-order.ts";
import { payByLink } from "../links/pay.server.ts";
import { cancelOrder } from "../refunds/cancel.server.ts";
import { settlePayment } from "../settle.server.ts";
import { type TakenByHand, takeByHand } from "./take.server.ts";

const checkout = useCheckout({ max: 30 });
const { db, provider, stockOf, salesOf, statesOf, mailsAbout, refundsOf, catchUp, expire, oneBuyer } = checkout;

let productId: string;
let user: Shopper;

beforeEach(async () => {
  productId = await makeProduct(db(), { M: 20 });
  user = await makeShopper(db());
});

const sent = (quantity = 1) => staffOrder(db(), user, productId, quantity);

function take(order: SentOrder, change: Partial<TakenByHand> = {}) {
  return takeByHand(db(), order.reference, { means: "cash", kobo: order.kobo, by: "bisi", ...change });
}

/** Opens the payment of the order's link, as its customer does. */
async function pressed({ reference }: SentOrder): Promise<string> {
  const opened = await payByLink(db(), await orderIdOf(db(), reference));
  if (!opened.ok) throw new Error(opened.problem);
  return opened.reference;
}

const paymentOf = (reference: string) =>
  db().selectFrom("payments").selectAll().where("reference", "=", reference).executeTakeFirstOrThrow();

/** Nothing was recorded: the order waits as before. */
async function expectNothing(order: SentOrder): Promise<void> {
  expect(await byHandOf(db(), order.reference)).toEqual([]);
  expect(await salesOf(user)).toEqual([]);
}

describe("an order of staff that is paid by hand", () => {
  test.each<[Means, string]>([
    ["cash", "Cash"],
    ["transfer", "Bank transfer"],
    ["terminal", "Card terminal"],
  ])("is the same sale, by %s: stock, email, document and history", async (means, name) => {
    const order = await sent(2);
    const bankReference = means === "cash" ? undefined : `FT ${randomUUID()}`;
    expect(await take(order, { means, bankReference })).toEqual({
      ok: true,
      what: `₦165,568 taken: ${name.toLowerCase()}; the order is paid, and the customer is emailed`,
    });
    const [reference = ""] = await byHandOf(db(), order.reference);
    expect(await salesOf(user)).toMatchObject([{ reference, kobo: String(order.kobo), feesKobo: null }]);
    const paid = { provider: means, state: "paid", mode: "test", paidKobo: String(order.kobo) };
    expect(await paymentOf(reference)).toMatchObject({ ...paid, providerStatus: "taken by bisi" });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 2 });
    expect(await mailsAbout(reference)).toEqual(["order-confirmation"]);
    const [sold] = await listSold(db(), user.id);
    if (!sold) throw new Error("It was sold");
    expect(toSaleDocument(sold, "https://shop.example").paymentDetails.paymentMethod).toBe(name);
    const told = await orderHistory(db(), order.number);
    expect(told.find(({ title }) => title.startsWith("Paid"))?.by).toBe(name);
    expect(provider.calls).toEqual([]);
  });

  test("stands in the takings by its means, and a review of the provider doesn't compare it", async () => {
    await paidByHand(db(), await sent());
    const far = new Date(Date.now() + 60_000);
    const rows = await takingsByMeans(db(), new Date(0), far);
    expect(rows).toContainEqual(expect.objectContaining({ means: "Cash" }));
    expect(await reviewProvider(db(), 7)).toMatchObject({ ok: true, broken: [] });
  });

  test("is paid once: its link says so, and a second taking is refused", async () => {
    const order = await sent();
    await paidByHand(db(), order);
    expect(await payByLink(db(), await orderIdOf(db(), order.reference))).toMatchObject({ ok: false, problem: "paid" });
    const problem = "bisi has already recorded that ₦85,584 were taken for it";
    expect(await take(order)).toEqual({ ok: false, problem });
    expect(await salesOf(user)).toHaveLength(1);
  });
});

test("belongs to the account that the customer has made since", async () => {
  const email = `new-${user.id}@example.com`;
  const order = await staffOrder(db(), { email }, productId);
  await db().updateTable("users").set({ email }).where("id", "=", user.id).execute();
  const reference = await paidByHand(db(), order);
  expect(await salesOf(user)).toMatchObject([{ reference }]);
});

test("ends the checks of a link that nobody has opened", async () => {
  const order = await sent();
  const reference = await paidByHand(db(), order);
  await catchUp(reference);
  expect(await paymentOf(order.reference)).toMatchObject({ state: "unpaid", nextCheckAt: null });
});

describe("is refused, and nothing is recorded", () => {
  test("another sum than the order's, with both", async () => {
    const order = await sent();
    expect(await take(order, { kobo: order.kobo - 100 })).toEqual({
      ok: false,
      field: "naira",
      problem: `${order.number} costs ₦85,584, in cash ₦85,550, and ₦85,583 isn’t that`,
    });
    await expectNothing(order);
  });

  test("a transfer without its reference", async () => {
    const order = await sent();
    expect(await take(order, { means: "transfer" })).toMatchObject({ ok: false, field: "bankReference" });
    await expectNothing(order);
  });

  test("a transfer's reference that has paid another order, however it is typed", async () => {
    const letters = randomUUID().replaceAll("-", "");
    const [one, two] = [await sent(), await sent()];
    await paidByHand(db(), one, { means: "transfer", bankReference: `ft-${letters}` });
    expect(await take(two, { means: "transfer", bankReference: `FT ${letters.toUpperCase()}` })).toMatchObject({
      ok: false,
      field: "bankReference",
      problem: expect.stringContaining(`has already paid ${one.number}`),
    });
    expect(await byHandOf(db(), two.reference)).toEqual([]);
    expect(await stockOf(productId)).toMatchObject({ reserved: 1, sold: 1 });
  });

  test("an order from the checkout", async () => {
    const { payment } = await oneBuyer();
    const taken = { means: "cash", kobo: payment.kobo, by: "bisi" } as const;
    expect(await takeByHand(db(), payment.reference, taken)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("comes from the checkout"),
    });
  });

  test("an order whose time is over", async () => {
    const order = await sent();
    await expire(await orderIdOf(db(), order.reference));
    expect(await take(order)).toMatchObject({ ok: false, problem: expect.stringContaining("is over") });
    await expectNothing(order);
    await catchUp(order.reference);
  });

  test("while a transfer by the link is under way", async () => {
    const order = await sent();
    const link = await pressed(order);
    provider.pay(link, { status: "pending", paid_at: null });
    expect(await take(order)).toMatchObject({ ok: false, problem: expect.stringContaining("under way") });
    await expectNothing(order);
    provider.pay(link, { status: "failed", paid_at: null });
    expect(await take(order)).toMatchObject({ ok: true });
  });

  test("while the provider of the opened link can't be asked", async () => {
    const order = await sent();
    await pressed(order);
    provider.faulty({ on: "verify", status: 500, body: "", times: 9 });
    expect(await take(order)).toMatchObject({ ok: false, problem: expect.stringContaining("can’t be asked") });
    await expectNothing(order);
    provider.faultless();
  });
});

describe("simultaneous requests", () => {
  test("the same form sent again and again is one taking and one sale", async () => {
    const order = await sent();
    const taken = { means: "cash", kobo: order.kobo, by: "bisi", formKey: randomUUID() } as const;
    const seen = (await viewOrder(db(), order.number))?.version;
    const press = () =>
      takeByHand(db(), order.reference, taken, changeOrder(db(), OWNER, "orders paid", order.reference, seen));
    const done = [...(await Promise.all([press(), press(), press()])), await press()];
    expect(done.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect(await byHandOf(db(), order.reference)).toHaveLength(1);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("the same form with another way of paying records nothing, and says what was recorded", async () => {
    const order = await sent();
    const formKey = randomUUID();
    expect(await take(order, { formKey })).toMatchObject({ ok: true });
    expect(await take(order, { formKey, means: "terminal" })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("bisi has already recorded"),
    });
    const [reference = ""] = await byHandOf(db(), order.reference);
    expect(await paymentOf(reference)).toMatchObject({ provider: "cash" });
  });

  test("two members who record the same money: one of them is told who was first", async () => {
    const order = await sent();
    const done = await Promise.all(["ada", "bisi", "chi"].map((by) => take(order, { by })));
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await byHandOf(db(), order.reference)).toHaveLength(1);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("one reference for two orders pays one of them", async () => {
    const orders = [await sent(), await sent()];
    const bankReference = randomUUID();
    const done = await Promise.all(orders.map((order) => take(order, { means: "transfer", bankReference })));
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await salesOf(user)).toHaveLength(1);
  });
});

describe("paid by hand and by the link", () => {
  test("the link first, before the shop knew: the money by hand is to be given back", async () => {
    const order = await sent();
    const link = await pressed(order);
    provider.pay(link);
    expect(await take(order)).toMatchObject({ ok: true, what: expect.stringContaining("paid by the link meanwhile") });
    expect(await salesOf(user)).toMatchObject([{ reference: link }]);
    const [reference = ""] = await byHandOf(db(), order.reference);
    expect(await refundsOf(reference)).toMatchObject([{ reason: "second-charge", kobo: String(order.kobo) }]);
    await catchUp(reference);
    expect(await refundsOf(reference)).toMatchObject([{ state: "sent" }]);
    expect(await statesOf(user)).toEqual(["sold"]);
  });

  test("the link last: its money goes back by the provider", async () => {
    const order = await sent();
    const link = await pressed(order);
    const reference = await paidByHand(db(), order);
    provider.pay(link);
    expect(await settlePayment(link)).toEqual({ outcome: "refunding" });
    expect(await salesOf(user)).toMatchObject([{ reference }]);
    expect(await refundsOf(link)).toMatchObject([{ reason: "second-charge" }]);
    expect(await refundsOf(reference)).toEqual([]);
    await catchUp(link);
    provider.finishRefunds("processed", link);
    await catchUp(link);
    expect(await refundsOf(link)).toMatchObject([{ state: "done" }]);
  });
});

describe("a process that ends after it has recorded the money", () => {
  /** Records the money, and ends before the payment is settled. */
  async function recordedOnly(order: SentOrder): Promise<string> {
    const taken = { means: "cash", kobo: order.kobo, by: "bisi" } as const;
    const ends = takeByHand(db(), order.reference, taken, async (work) => {
      await retryingTransaction(db(), work);
      throw new Error("The process ends");
    });
    await expect(ends).rejects.toThrow("The process ends");
    return (await byHandOf(db(), order.reference))[0] ?? "";
  }

  test("the payment becomes the sale by itself", async () => {
    const reference = await recordedOnly(await sent());
    expect(await salesOf(user)).toEqual([]);
    await catchUp(reference);
    expect(await salesOf(user)).toMatchObject([{ reference }]);
  });

  test("until then the link asks for no payment, and the order isn't ended", async () => {
    const order = await sent();
    const reference = await recordedOnly(order);
    expect(await cancelOrder(db(), order.reference)).toMatchObject({ ok: false });
    expect(await payByLink(db(), await orderIdOf(db(), order.reference))).toEqual({
      ok: false,
      problem: "paid",
      reference,
    });
  });
});

test("the audit log and the order's history say who took it, how and how much", async () => {
  const order = await sent();
  const change = changeOrder(db(), OWNER, "orders paid", order.reference);
  const taken = { means: "transfer", kobo: order.kobo, by: OWNER.name, bankReference: randomUUID() } as const;
  expect(await takeByHand(db(), order.reference, taken, change)).toMatchObject({ ok: true });
  const row = await db()
    .selectFrom("auditLog")
    .selectAll()
    .where("action", "=", "orders paid")
    .where("subjectId", "=", order.reference)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    actor: OWNER.name,
    after: { means: "Bank transfer", kobo: order.kobo },
  });
  expect(JSON.stringify(row)).not.toContain(taken.bankReference);
  const told = await orderHistory(db(), order.number);
  expect(told).toContainEqual(
    expect.objectContaining({
      title: "Recorded as paid by hand",
      by: "bola by command",
      text: "₦85,584 taken: bank transfer.",
    }),
  );
  expect(told.find(({ title }) => title === "Paid ₦85,584")?.text).toContain(
    `Taken by bola, reference ${taken.bankReference}`,
  );
  expect(await viewOrder(db(), order.number)).toMatchObject({ provider: "transfer", isByStaff: true, state: "sold" });
});
