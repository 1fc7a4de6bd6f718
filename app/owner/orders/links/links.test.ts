import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { usdCents } from "#app/money/money.ts";
import { SOLD_LATE_WITHIN } from "#app/orders/time-limits.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { claimOrder, isForVisitor, readLink } from "#app/payments/links/link.server.ts";
import { payByLink } from "#app/payments/links/pay.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { closePayment, paymentStatus } from "#app/payments/status.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { endOffers, makeOffer } from "#tests/support/offers.ts";
import { lagosForm, makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { readAgreed } from "./agreed.server.ts";
import { renewLink, type SentOrder } from "./link.server.ts";
import { putTogether, type Wish } from "./new.server.ts";

const checkout = useCheckout({ max: 30 });
const { db, provider, open, stockOf, salesOf, cartOf, statesOf, expire, catchUp, refundsOf } = checkout;

let productId: string;
let user: Shopper;

beforeEach(async () => {
  productId = await makeProduct(db(), { M: 20 });
  user = await makeShopper(db());
});

const address = lagosForm as unknown as Record<string, string>;
const asked = (quantity = 1, heldFor = DAY, for_ = user) =>
  putTogether(db(), OWNER, { email: for_.email, units: [{ productId, size: "M", quantity }], heldFor, address });

const codeOf = ({ url }: SentOrder) => url.split("/").at(-1) ?? "";
const orderOf = async (sent: SentOrder) => {
  const order = await readLink(db(), codeOf(sent));
  if (!order) throw new Error("The link opens nothing");
  return order;
};

/** Presses Pay on the link's page. Returns the payment's reference. */
async function pressed(sent: SentOrder): Promise<string> {
  const opened = await payByLink(db(), (await orderOf(sent)).id);
  if (!opened.ok) throw new Error(opened.problem);
  return opened.reference;
}

async function paid(sent: SentOrder): Promise<string> {
  const reference = await pressed(sent);
  provider.pay(reference);
  expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
  return reference;
}

test("an order by link holds its items at today's sum, and its payment makes a sale in the customer's account", async () => {
  const sent = await asked(2);
  expect(sent).toMatchObject({ number: expect.stringMatching(/^IR-/), kobo: 165_568_00 });
  expect(sent.url).toMatch(new RegExp(`^${env.publicUrl.origin}/pay/[\\w-]{22}$`));
  expect(await stockOf(productId)).toMatchObject({ reserved: 2, sold: 0 });
  const reference = await paid(sent);
  expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 2 });
  expect(await salesOf(user)).toMatchObject([{ reference, email: lagosForm.email, kobo: "16556800" }]);
  expect(await statesOf(user)).toEqual(["sold"]);
});

describe("beside the shopper's own order", () => {
  afterEach(() => endOffers(db()));

  test("a checkout does not end it, and it does not end the checkout's", async () => {
    await putInCart(db(), user.id, productId, "M");
    const before = await open(user);
    const sent = await asked();
    expect(await open(user)).toMatchObject({ reference: before.reference });
    expect(await stockOf(productId)).toMatchObject({ reserved: 2 });
    expect((await orderOf(sent)).state).toBe("open");
  });

  test.each(["the link first", "the checkout first"])(
    "both are paid, %s: two sales, no second charge",
    async (which) => {
      await putInCart(db(), user.id, productId, "M");
      const own = await open(user);
      const sent = await asked();
      const payOwn = async () => {
        provider.pay(own.reference);
        expect(await settlePayment(own.reference)).toMatchObject({ outcome: "sold" });
      };
      if (which === "the checkout first") await payOwn();
      const reference = await paid(sent);
      expect(await cartOf(user)).toHaveLength(which === "the checkout first" ? 0 : 1); // the link takes nothing out
      if (which === "the link first") await payOwn();
      expect((await salesOf(user)).map((sale) => sale.reference).sort()).toEqual([own.reference, reference].sort());
      expect(await cartOf(user)).toEqual([]);
    },
  );

  test("two links are valid at the same time", async () => {
    const [one, two] = [await asked(), await asked()];
    await paid(two);
    await paid(one);
    expect(await salesOf(user)).toHaveLength(2);
  });

  test("an offer's last use stays with the checkout that holds it: the link's order has the full price", async () => {
    await makeOffer(db(), { gift: { kind: "percent", percent: 10 } }, { mostUses: 1 });
    await putInCart(db(), user.id, productId, "M");
    const own = await open(user);
    const sent = await asked();
    expect(own.kobo).toBe((4499 + 350) * 1600);
    expect(sent.kobo).toBe((4999 + 350) * 1600);
  });

  test("an order that has ended unpaid does not count as lapsed", async () => {
    for (let ended = 0; ended < 4; ended++) {
      const sent = await asked();
      const reference = await pressed(sent);
      await expire((await orderOf(sent)).id);
      await catchUp(reference);
    }
    await putInCart(db(), user.id, productId, "M");
    await open(user); // a shopper with three lapsed orders would be asked first, since nothing would be held
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
  });
});

describe("the payment", () => {
  test("is opened once, also if Pay is pressed repeatedly", async () => {
    const sent = await asked();
    const { id } = await orderOf(sent);
    const opened = await Promise.all(Array.from({ length: 12 }, () => payByLink(db(), id)));
    expect(new Set(opened.map((one) => one.ok && one.reference)).size).toBe(1);
  });

  test("is a new one if the first was opened hours ago; of two that are paid, one is refunded", async () => {
    const sent = await asked();
    const first = await pressed(sent);
    await db()
      .updateTable("payments")
      .set({ createdAt: new Date(Date.now() - 3 * HOUR) })
      .where("reference", "=", first)
      .execute();
    const second = await pressed(sent);
    expect(second).not.toBe(first);
    for (const reference of [first, second]) provider.pay(reference);
    expect(await settlePayment(second)).toMatchObject({ outcome: "sold" });
    expect(await settlePayment(first)).toMatchObject({ outcome: "refunding" });
    expect(await refundsOf(first)).toMatchObject([{ reason: "second-charge" }]);
  });

  test("that was closed leaves the items held until the time that staff promised", async () => {
    const sent = await asked();
    const reference = await pressed(sent);
    expect(await closePayment(db(), user.id, reference)).toMatchObject({ outcome: "unpaid" });
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
    await paid(sent);
  });

  test("that failed as a transfer leaves the link open for another", async () => {
    const sent = await asked();
    const reference = await pressed(sent);
    provider.pay(reference, { status: "pending", paid_at: null });
    expect(await settlePayment(reference)).toEqual({ outcome: "pending" });
    expect((await orderOf(sent)).awaited).toBe(reference);
    expect(await payByLink(db(), (await orderOf(sent)).id)).toEqual({ ok: false, problem: "awaited", reference });
    expect(await cancelOrder(db(), sent.reference)).toMatchObject({ ok: false });
    provider.pay(reference, { status: "failed", paid_at: null });
    expect(await settlePayment(reference)).toEqual({ outcome: "unpaid" });
    expect((await orderOf(sent)).awaited).toBeNull();
    await paid(sent);
  });

  test("is visible to the customer alone", async () => {
    const reference = await pressed(await asked());
    const stranger = await makeShopper(db());
    expect(await paymentStatus(db(), user.id, reference)).toEqual({ outcome: "unpaid" });
    expect(await paymentStatus(db(), stranger.id, reference)).toBeUndefined();
  });

  test("is not requested again once it was made", async () => {
    const sent = await asked();
    const { id } = await orderOf(sent);
    const reference = await pressed(sent);
    provider.pay(reference);
    expect(await payByLink(db(), id)).toEqual({ ok: false, problem: "paid", reference });
    expect(await salesOf(user)).toHaveLength(1);
  });
});

describe("after its time", () => {
  test("its items are released without a payment, also if nobody has pressed Pay, and the link opens no payment", async () => {
    const sent = await asked(2);
    const { id } = await orderOf(sent);
    await expire(id);
    await catchUp(sent.reference);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect(await payByLink(db(), id)).toEqual({ ok: false, problem: "over" });
  });

  test("a payment within a day of the end is a sale, however long the items were held", async () => {
    const sent = await asked(1, 3 * DAY);
    const reference = await pressed(sent);
    const { id } = await orderOf(sent);
    const made = new Date(Date.now() - 3 * DAY);
    await db().updateTable("orders").set({ createdAt: made }).where("id", "=", id).execute();
    await expire(id, "2 hours");
    await catchUp(reference);
    provider.pay(reference);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
  });

  test("a later payment is refunded, and the account shows it", async () => {
    const sent = await asked();
    const reference = await pressed(sent);
    await expire((await orderOf(sent)).id, `${SOLD_LATE_WITHIN + HOUR} milliseconds`);
    await catchUp(reference);
    provider.pay(reference);
    expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
    expect(await statesOf(user)).toEqual(["refunding"]);
  });
});

describe("is refused", () => {
  test("for more than a quarter of a size, together with other orders of staff", async () => {
    await asked(3);
    await expect(asked(3)).rejects.toThrow("may hold 2 more");
    await asked(2);
    await expect(asked(1)).rejects.toThrow("may hold 0 more");
    expect(await stockOf(productId)).toMatchObject({ reserved: 5 });
  });

  test("for more than that, also if thirty orders are put together at once", async () => {
    const made = await Promise.allSettled(Array.from({ length: 30 }, () => asked(1)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await stockOf(productId)).toMatchObject({ reserved: 5 });
  });

  test("for no single piece of a size, which can always be held", async () => {
    productId = await makeProduct(db(), { M: 1 });
    await asked(1);
    await expect(asked(1)).rejects.toThrow("0 in stock");
  });

  test.each([
    ["what is no email address", async () => ({ email: "ada" }), "isn't an email address"],
    ["a new customer without an address", async () => ({ email: "new@example.com", address: undefined }), "say where"],
    ["a size that isn't there", async () => ({ units: [{ productId, size: "XXL", quantity: 1 }] }), "in size XXL"],
    ["a customer without an order and without an address", async () => ({ address: undefined }), "hasn't ordered yet"],
    ["an address without a street", async () => ({ address: { ...address, address: "" } }), "address: "],
    ["an address in a state without a rate", async () => ({ address: { ...address, state: "Atlantis" } }), "state: "],
  ])("for %s, with the reason", async (_, change, reason) => {
    const wish = { email: user.email, units: [{ productId, size: "M", quantity: 1 }], heldFor: DAY, address };
    await expect(putTogether(db(), OWNER, { ...wish, ...(await change()) })).rejects.toThrow(reason);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
  });
});

describe("with an agreed price", () => {
  afterEach(() => endOffers(db()));
  const agree = (dollars: string, more: Partial<Wish> = {}) =>
    putTogether(db(), OWNER, {
      ...{ email: user.email, units: [{ productId, size: "M", quantity: 2 }], heldFor: DAY, address },
      ...{ agreed: [readAgreed(`${productId}:M=${dollars}`)].flatMap((price) => price ?? []), reason: "Radio winner" },
      ...more,
    });
  const linesOf = async (sent: SentOrder) =>
    (await db().selectFrom("orders").select("lines").where("number", "=", sent.number).executeTakeFirstOrThrow()).lines;

  test("the line has it, beside the shop's price, and no offer changes it", async () => {
    await makeOffer(db(), { gift: { kind: "percent", percent: 20 }, onSaleToo: true });
    const sent = await agree("35");
    expect(await linesOf(sent)).toMatchObject([{ priceCents: 3500, fullCents: 4999, isAgreed: true, quantity: 2 }]);
    expect(await linesOf(sent)).not.toMatchObject([{ offerNames: expect.anything() }]);
    expect(sent.kobo).toBe((7000 + 350) * 1600);
    await paid(sent);
    expect(await salesOf(user)).toMatchObject([{ kobo: String(sent.kobo) }]);
    expect(await priceNow()).toBe(4999);
  });

  test("other lines get the offers, and the history says who agreed on what, and why", async () => {
    await makeOffer(db(), { gift: { kind: "percent", percent: 20 } });
    const other = await makeProduct(db(), { L: 20 }, 5000);
    const units = [
      { productId, size: "M", quantity: 1 },
      { productId: other, size: "L", quantity: 1 },
    ];
    const sent = await agree("$35.50", { units });
    expect(await linesOf(sent)).toMatchObject([{ priceCents: 3550, isAgreed: true }, { priceCents: 4000 }]);
    const history = await orderHistory(db(), sent.number);
    expect(history).toContainEqual(
      expect.objectContaining({
        title: "Put together, with a link to pay",
        by: expect.stringContaining(OWNER.name),
        text: "Agreed price: Home Jersey M for $35.50 instead of $49.99; Radio winner.",
      }),
    );
    const { after } = await db()
      .selectFrom("auditLog")
      .select("after")
      .where("subjectId", "=", sent.reference)
      .executeTakeFirstOrThrow();
    expect(after).toMatchObject({ done: expect.stringMatching(/\$35\.50 instead of \$49\.99; Radio winner/) });
  });

  test("a payment after the hold is compared with it, not with the shop's price", async () => {
    const sent = await agree("35");
    const reference = await pressed(sent);
    await expire((await orderOf(sent)).id, "2 hours");
    await catchUp(reference);
    await db().updateTable("products").set({ priceCents: 9999 }).where("id", "=", productId).execute();
    provider.pay(reference);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    expect(await salesOf(user)).toMatchObject([{ kobo: String(sent.kobo) }]);
  });

  test.each<[string, string, Partial<Wish>, string]>([
    ["the shop's price itself", "49.99", {}, "costs $49.99: agree on less"],
    ["less than a tenth", "4.99", {}, "agree on $5.00 or more"],
    ["a price without a reason", "35", { reason: "" }, "Say why"],
    ["a price of another piece", "35", { units: [{ productId: "other", size: "M", quantity: 1 }] }, "There's no"],
  ])("%s is refused, and nothing is held", async (_, dollars, more, problem) => {
    await expect(agree(dollars, more)).rejects.toThrow(problem);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
  });

  test("is refused for less than half a dollar together", async () => {
    await db().updateTable("products").set({ priceCents: 100 }).where("id", "=", productId).execute();
    await expect(agree("0.24")).rejects.toThrow("at least $0.50 together");
    expect(await agree("0.25")).toMatchObject({ number: expect.any(String) });
  });

  test("is refused to a member for an order of their own", async () => {
    const member = { name: user.email, door: "office" } as const;
    const wish = { email: user.email, units: [{ productId, size: "M", quantity: 1 }], heldFor: DAY, address };
    const agreed = [{ productId, size: "M", cents: usdCents(3500) }];
    await expect(putTogether(db(), member, { ...wish, agreed, reason: "Mine" })).rejects.toThrow("Somebody else");
    expect(await putTogether(db(), member, wish)).toMatchObject({ number: expect.any(String) });
  });

  const priceNow = async () =>
    (await db().selectFrom("products").select("priceCents").where("id", "=", productId).executeTakeFirstOrThrow())
      .priceCents;
});

describe("for somebody without an account", () => {
  const email = () => `${crypto.randomUUID()}@example.com`;
  const sentTo = (to: string) =>
    putTogether(db(), OWNER, { email: to, units: [{ productId, size: "M", quantity: 1 }], heldFor: DAY, address });

  test("the account that confirms the address becomes the customer, and has the sale", async () => {
    const to = email();
    const sent = await sentTo(to.toUpperCase());
    const order = await orderOf(sent);
    expect(order).toMatchObject({ buyer: null, recipient: to });
    await db().updateTable("users").set({ email: to }).where("id", "=", user.id).execute();
    const [own, stranger] = [{ ...user, email: to }, await makeShopper(db())];
    expect([isForVisitor(order, own), isForVisitor(order, stranger)]).toEqual([true, false]);
    expect(isForVisitor(order, { ...own, emailVerified: false })).toBe(false);
    expect(await claimOrder(db(), order.id, stranger)).toBe(false);
    expect(await claimOrder(db(), order.id, { ...own, emailVerified: false })).toBe(false);
    expect(await claimOrder(db(), order.id, own)).toBe(true);
    expect(await claimOrder(db(), order.id, own)).toBe(true); // pressed twice
    await paid(sent);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("an account that has not confirmed the address does not count", async () => {
    await db().updateTable("users").set({ emailVerified: false }).where("id", "=", user.id).execute();
    expect(await orderOf(await sentTo(user.email))).toMatchObject({ buyer: null });
  });
});

test("a new link replaces the former one, and an ended order gets none", async () => {
  const sent = await asked();
  const next = await renewLink(db(), OWNER, sent.reference);
  expect(await readLink(db(), codeOf(sent))).toBeUndefined();
  expect((await orderOf(next)).number).toBe(sent.number);
  await paid(next);
  await expect(renewLink(db(), OWNER, sent.reference)).rejects.toThrow("can no longer be paid");
});

test("a form that is sent ten times at once makes one order, and the last response's link opens it", async () => {
  const wish = { email: user.email, units: [{ productId, size: "M", quantity: 1 }], heldFor: DAY, address };
  const formKey = crypto.randomUUID();
  const sent = await Promise.all(Array.from({ length: 10 }, () => putTogether(db(), OWNER, { ...wish, formKey })));
  expect(new Set(sent.map(({ number }) => number)).size).toBe(1);
  expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
  const opening = await Promise.all(sent.map((one) => readLink(db(), codeOf(one))));
  expect(opening.filter(Boolean)).toHaveLength(1);
});

test("an order from the checkout gets no link", async () => {
  await putInCart(db(), user.id, productId, "M");
  const { reference } = await open(user);
  await expect(renewLink(db(), OWNER, reference)).rejects.toThrow("comes from the checkout");
});

test("a cancelled order releases its items, and its link opens no payment", async () => {
  const sent = await asked();
  expect(await cancelOrder(db(), sent.reference)).toMatchObject({ ok: true });
  expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
  expect(await payByLink(db(), (await orderOf(sent)).id)).toEqual({ ok: false, problem: "over" });
});

test("the audit log says who put an order together, without the customer", async () => {
  const sent = await asked();
  const rows = await db().selectFrom("auditLog").selectAll().where("subjectId", "=", sent.reference).execute();
  expect(rows).toMatchObject([{ actor: OWNER.name, action: "orders new", after: { number: sent.number } }]);
  expect(JSON.stringify(rows)).not.toContain(user.email);
  expect(JSON.stringify(rows)).not.toContain(codeOf(sent));
});
