import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { renderers } from "#app/orders/emails.tsx";
import { listOrders } from "#app/orders/history.server.ts";
import { deliveryOf, returnDeadlines } from "#app/orders/returns/rules.ts";
import { endOfDay, SHOP_ZONE, shopDay } from "#app/owner/shop-time.server.ts";
import { reviewRefunds } from "#app/payments/refunds/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { endLinkChecks } from "#tests/support/staff-order.ts";

const { db, provider, openPickUp, oneBuyer, stockOf, statesOf, refundOf, refundsOf, mailsAbout, catchUp } =
  useCheckout();

const say = (...words: string[]) => command(db(), ["orders", ...words]);
const check = (...words: string[]) => command(db(), ["check", ...words]);

beforeEach(withinOneDay);

async function sold() {
  const story = await oneBuyer(2);
  provider.pay(story.payment.reference);
  await settlePayment(story.payment.reference);
  return { ...story, reference: story.payment.reference };
}

test.each([
  ["nothing", []],
  ["another action", ["burn", "x".repeat(20)]],
  ["no reference", ["show"]],
  ["half a reference", ["refund", "abc"]],
  ["a reference that is SQL", ["cancel", "'; drop table sales; --"]],
  ["another state", ["list", "lost"]],
  ["49 a page that is not there", ["list", "--page", "99"]],
  ["an unknown reference to show", ["show", "f".repeat(32)]],
  ["an unknown reference to refund", ["refund", "f".repeat(32)]],
  ["an unknown reference to cancel", ["cancel", "f".repeat(32)]],
  ["an unknown reference to resolve", ["resolve", "f".repeat(32)]],
  ["no reference to resolve", ["resolve"]],
  ["an unknown reference to fulfil", ["fulfil", "f".repeat(32)]],
])("%s is bad input, said in a line", async (_, words) => {
  const { code, text } = await say(...words);
  expect([code, text.split("\n").length]).toEqual([2, 1]);
});

test("lists the newest first, all or those of a state, and shows one with its money", async () => {
  const first = await sold();
  const { payment: second } = await oneBuyer();
  const all = (await say("list")).data as { orders: { reference: string }[] };
  expect(all.orders.slice(0, 2).map(({ reference }) => reference)).toEqual([second.reference, first.reference]);
  expect((await say("list", "open")).text).not.toContain(first.reference);
  expect((await say("list", "sold")).text).toContain(first.reference);
  const { data, text } = await say("show", first.reference);
  expect(text, "49 for people").toMatch(/^state: sold\n[^{}"]*title: Home Jersey\n[^{}"]*price: \$49\.99/);
  expect(data).toMatchObject({
    order: {
      state: "sold",
      lines: [{ title: "Home Jersey" }],
      payments: [{ reference: first.reference, state: "paid", refunds: [] }],
    },
  });
});

describe("orders refund", () => {
  test("refunds a sale once; the pieces stay sold", async () => {
    const { reference, productId, user } = await sold();
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 0 });
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 2 });
    expect(await stockOf(productId)).toEqual({ sold: 1, reserved: 0, onHand: 1 });
    await catchUp(reference);
    provider.finishRefunds();
    await catchUp(reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
  });

  test("requests a failed refund again", async () => {
    const { payment, user } = await oneBuyer();
    provider.pay(payment.reference, { currency: "USD" });
    await settlePayment(payment.reference);
    await catchUp(payment.reference);
    provider.finishRefunds("failed");
    await catchUp(payment.reference);
    expect(await say("refund", payment.reference, "--yes")).toMatchObject({
      code: 0,
      text: expect.stringContaining("sent to the provider again"),
    });
    provider.refunds.length = 0;
    await catchUp(payment.reference);
    provider.finishRefunds();
    await catchUp(payment.reference);
    expect(await statesOf(user)).toEqual(["refunded"]);
    expect(await say("refund", payment.reference, "--yes")).toMatchObject({
      code: 2,
      text: "Its money has gone back already",
    });
  });
});

describe("orders refund, in part", () => {
  const refunded = async (reference: string) => (await refundsOf(reference)).map(({ kobo }) => Number(kobo));

  test("without --yes and a terminal shows the sum, does nothing and ends with 2", async () => {
    const { reference, productId } = await sold();
    const { code, text } = await say("refund", reference, "--piece", `${productId}:M:1`);
    expect(code).toBe(2);
    for (const part of ["₦79,984", "₦85,584", "1 × Home Jersey, Green, M", "--yes"]) expect(text).toContain(part);
    expect((await say("refund", reference)).text).toContain("₦5,600 for shipping included");
    expect(await refunded(reference)).toEqual([]);
  });

  test("shows earlier refunds, so that a repetition is noticed", async () => {
    const { reference } = await sold();
    const amount = ["refund", reference, "--amount", "1000"];
    expect((await say(...amount)).text).not.toContain("went back before");
    await say(...amount, "--yes");
    expect((await say(...amount)).text).toContain("₦1,000 went back before.");
  });

  test("asks at a terminal, and does nothing if the answer is no", async () => {
    const { reference } = await sold();
    const amount = ["orders", "refund", reference, "--amount", "1,000.50"];
    expect(await command(db(), amount, false)).toMatchObject({ code: 2 });
    expect(await refunded(reference)).toEqual([]);
    expect(await command(db(), amount, true)).toMatchObject({ code: 0 });
    expect(await refunded(reference)).toEqual([100_050]);
  });

  test.each([
    ["a word too many", ["49.99"], /'49.99' isn't expected here/],
    ["an unknown option", ["--part", "49.99"], /--part/],
    ["no sum", ["--amount", "much"], /'much' isn't an amount/],
    ["a sum of nothing", ["--amount", "0"], /'0' isn't an amount/],
    ["more than was paid", ["--amount", "85584.01"], /Only ₦85,584/],
    ["half a piece", ["--piece", "M:1"], /ID:SIZE:N/],
    ["pieces that were not bought", ["--piece", "cap:ONE:1"], /'cap' in ONE isn’t in this order/],
    ["another reason", ["--amount", "5", "--reason", "bored"], /'bored' isn't one of the reasons: Too small/],
    ["a sum and the shipping", ["--amount", "5", "--with-shipping"], /leave the shipping out/],
  ])("%s is bad input, and nothing is done", async (_, words, why) => {
    const { reference } = await sold();
    const { code, text } = await say("refund", reference, ...words, "--yes");
    expect([code, text]).toEqual([2, expect.stringMatching(why)]);
    expect(await refunded(reference)).toEqual([]);
  });

  test("refunds pieces and shipping, restocks the pieces, and adds a row to the audit log", async () => {
    const { reference, productId, user } = await sold();
    const words = ["--piece", `${productId}:M:1`, "--with-shipping", "--restock", "--reason", "too small", "--yes"];
    expect(await say("refund", reference, ...words)).toMatchObject({ code: 0 });
    expect(await refunded(reference)).toEqual([8_558_400]);
    expect(await refundOf(reference)).toMatchObject({ cause: "Too small" });
    expect(await stockOf(productId)).toMatchObject({ onHand: 2 });
    expect(await statesOf(user)).toEqual(["refunding"]); // the refund covers the whole order
    const { text } = await command(db(), ["audit", "list", "--subject", reference]);
    expect(text).toContain("orders refund");
  });

  test("a part is in the list, with its sum, and in 'orders show'", async () => {
    const { reference } = await sold();
    await say("refund", reference, "--amount", "1000", "--yes");
    expect((await say("list", "sold")).text).toContain("refund on its way: ₦1,000");
    await catchUp(reference);
    provider.finishRefunds("processed", reference);
    await catchUp(reference);
    const row = (await say("list")).text.split("\n").find((line) => line.includes(reference));
    expect(row).toContain("partly refunded: ₦1,000");
    expect((await say("show", reference)).data).toMatchObject({ order: { state: "sold", refundedKobo: 100_000 } });
  });

  test("repeated by a program refunds nothing more", async () => {
    const { reference } = await sold();
    await say("refund", reference, "--amount", "1000", "--yes");
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 2, text: expect.stringContaining("₦1,000") });
    expect(await refunded(reference)).toEqual([100_000]);
  });
});

describe("orders new", () => {
  /** A customer who has ordered before, and what there is to order. */
  async function customer() {
    const { productId, user } = await oneBuyer(8);
    return { of: ["--for", user.email, "--piece", `${productId}:M:1`], productId };
  }

  test("prints the order, its sum, the end of its hold and the link, which 'orders link' replaces", async () => {
    const { of } = await customer();
    const { code, text, data } = await say("new", ...of, "--hold", "2d");
    expect(code).toBe(0);
    expect(text).toMatch(/^IR-[^:]+: ₦85,584, held until \d{4}-\d\d-\d\d \d\d:\d\d \S+\nhttp:\S+\/pay\/[\w-]{22}\n/);
    const { number, until, url } = data as { number: string; until: Date; url: string };
    expect(Math.round((until.getTime() - Date.now()) / 3_600_000)).toBe(48);
    const next = await say("link", number);
    expect(next).toMatchObject({ code: 0, data: { number } });
    expect((next.data as { url: string }).url).not.toBe(url);
    expect(await say("cancel", number)).toMatchObject({ code: 0 });
    expect(await say("link", number)).toMatchObject({
      code: 2,
      text: expect.stringContaining("can no longer be paid"),
    });
  });

  test("agrees on a price with a reason, which 'orders show' prints", async () => {
    const { of, productId } = await customer();
    const { code, text, data } = await say("new", ...of, "--price", `${productId}:M=35`, "--reason", "Radio winner");
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining("₦61,600") });
    const shown = await say("show", (data as { number: string }).number);
    expect(shown.text).toMatch(/is agreed: yes\n.*\n +full: \$49\.99\n.*\n +price: \$35\.00/);
    expect(await say("new", ...of, "--price", `${productId}:M=35`)).toMatchObject({
      code: 2,
      text: expect.stringContaining("Say why"),
    });
    expect(await say("new", ...of, "--price", "35")).toMatchObject({
      code: 2,
      text: expect.stringContaining("ID:SIZE=DOLLARS"),
    });
  });

  test.each([
    ["no customer", [], "--for EMAIL"],
    ["no items", ["--for", "ada@example.com"], "--piece ID:SIZE:N"],
    [
      "a time that is too short",
      ["--for", "ada@example.com", "--piece", "a:M:1", "--hold", "5m"],
      "between 15m and 3d",
    ],
    ["a time that is too long", ["--for", "ada@example.com", "--piece", "a:M:1", "--hold", "4d"], "between 15m and 3d"],
    ["a time that is none", ["--for", "ada@example.com", "--piece", "a:M:1", "--hold", "soon"], "between 15m and 3d"],
    [
      "a file that isn't there",
      ["--for", "a@example.com", "--piece", "a:M:1", "--address", "/nowhere"],
      "can't be read",
    ],
  ])("with %s is bad input, with the reason", async (_, words, reason) => {
    expect(await say("new", ...words)).toMatchObject({ code: 2, text: expect.stringContaining(reason) });
  });
});

describe("orders paid and orders given", () => {
  /** An order that was put together, by its number. */
  async function waiting(): Promise<string> {
    const { productId, user } = await oneBuyer(8);
    return ((await say("new", "--for", user.email, "--piece", `${productId}:M:1`)).data as { number: string }).number;
  }

  test("a transfer is recorded once, with its reference", async () => {
    const number = await waiting();
    const bank = crypto.randomUUID();
    expect(await say("paid", number, "--by", "transfer", "--reference", bank)).toMatchObject({
      code: 0,
      text: expect.stringContaining("₦85,584 taken: bank transfer; the order is paid"),
    });
    expect(await say("paid", number, "--by", "transfer", "--reference", bank)).toMatchObject({
      code: 2,
      text: expect.stringContaining("bola has already recorded"),
    });
    const other = await waiting();
    expect(await say("paid", other, "--by", "transfer", "--reference", bank.toUpperCase())).toMatchObject({
      code: 2,
      text: expect.stringContaining(`has already paid ${number}`),
    });
    expect((await say("show", number)).data).toMatchObject({
      order: { payments: [{}, { provider: "transfer", state: "paid", providerStatus: "taken by bola" }] },
    });
  });

  test("a refund by hand is open until it is marked as given", async () => {
    const number = await waiting();
    await say("paid", number, "--by", "cash", "--amount", "85,584");
    expect(await say("given", number, "--yes")).toMatchObject({ code: 2 });
    await say("cancel", number);
    const { order } = (await say("show", number)).data as { order: { payments: { reference: string }[] } };
    await catchUp(order.payments.at(-1)?.reference ?? "");
    expect((await command(db(), ["status"])).text).toContain(number);
    const asks = await say("given", number);
    expect([asks.code, asks.text]).toEqual([2, expect.stringContaining("₦85,584 has been given back")]);
    expect(await say("given", number, "--yes")).toMatchObject({ code: 0 });
    expect((await say("show", number)).data).toMatchObject({ order: { state: "refunded" } });
    expect((await command(db(), ["status"])).text).not.toContain(number);
  });

  test.each([
    ["no means", [], "--by cash, --by transfer, --by terminal"],
    ["another means", ["--by", "cowries"], "--by cash"],
    ["a transfer without its reference", ["--by", "transfer"], "reference"],
    ["a reference that is none", ["--by", "transfer", "--reference", "12"], "isn't a bank's reference"],
    ["another sum", ["--by", "cash", "--amount", "85583"], "costs ₦85,584, in cash ₦85,550, and ₦85,583 isn’t that"],
  ])("with %s is bad input, with the reason", async (_, words, reason) => {
    const number = await waiting();
    expect(await say("paid", number, ...words)).toMatchObject({ code: 2, text: expect.stringContaining(reason) });
    expect((await say("show", number)).data).toMatchObject({ order: { state: "open" } });
  });
});

describe("orders cancel", () => {
  test("a sale is refunded and restocked, once", async () => {
    const { reference, productId } = await sold();
    expect(await say("cancel", reference)).toMatchObject({ code: 0 });
    expect(await say("cancel", reference)).toMatchObject({ code: 2 });
    expect(await stockOf(productId)).toEqual({ sold: 1, reserved: 0, onHand: 2 });
    expect(await refundOf(reference)).toMatchObject({ reason: "cancelled" });
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "refund-started"]);
  });

  test("an unpaid order is restocked", async () => {
    const { payment, productId, user } = await oneBuyer();
    expect(await say("cancel", payment.reference)).toMatchObject({ code: 0 });
    expect(await statesOf(user)).toEqual(["released"]);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0 });
    expect(await say("cancel", payment.reference)).toMatchObject({ code: 2, text: "It’s already ended" });
  });

  test("an order that was paid, as the provider reports, becomes a sale first", async () => {
    const { payment, user } = await oneBuyer();
    provider.pay(payment.reference);
    expect(await say("cancel", payment.reference)).toMatchObject({ code: 0 });
    expect(await statesOf(user)).toEqual(["refunding"]);
    expect(await refundOf(payment.reference)).toMatchObject({ reason: "cancelled" });
  });

  test.each([
    ["a transfer is under way", { status: "pending" }, /under way/],
    ["the money goes back anyway", { currency: "USD" }, /already on its way/],
  ])("is refused while %s", async (_, as, why) => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference, as);
    const { code, text } = await say("cancel", payment.reference);
    expect(code).toBe(2);
    expect(text).toMatch(why);
  });

  test("is refused while the provider cannot be asked", async () => {
    const { payment, user } = await oneBuyer();
    provider.faulty({ on: "verify", drop: true });
    expect(await say("cancel", payment.reference)).toMatchObject({
      code: 2,
      text: expect.stringContaining("provider"),
    });
    expect(await statesOf(user)).toEqual(["open"]);
  });
});

describe("orders fulfil", () => {
  test("marks an order as sent once, and emails the shopper the tracking number", async () => {
    const { reference } = await sold();
    expect(await say("fulfil", reference, "GIG-4711")).toMatchObject({ code: 0 });
    expect(await say("fulfil", reference, "--tracking", "GIG-4711")).toMatchObject({ code: 2 });
    expect(await say("fulfil", reference)).toMatchObject({ code: 2 });
    expect((await say("list", "sold")).text).toMatch(/ {2}sent {2}/);
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "order-sent"]);
    const { data } = await db()
      .selectFrom("outbox")
      .select("data")
      .where("kind", "=", "order-sent")
      .executeTakeFirstOrThrow();
    const mail = await renderers["order-sent"]?.(data);
    for (const part of ["GIG-4711", "1 Broad Street", reference]) expect(mail?.text).toContain(part);
  });

  test("a sent order can be refunded but not cancelled, and a refunded one cannot be sent", async () => {
    const { reference } = await sold();
    await say("fulfil", reference);
    expect(await say("cancel", reference)).toMatchObject({ code: 2, text: expect.stringContaining("orders refund") });
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 0 });
    const other = await sold();
    await say("refund", other.reference, "--yes");
    expect(await say("fulfil", other.reference)).toMatchObject({ code: 2 });
  });
});

describe("the steps of a delivery", () => {
  /** A paid order that the shopper picks up. Returns its reference. */
  async function toPickUp(): Promise<string> {
    const { reference } = await openPickUp();
    provider.pay(reference);
    await settlePayment(reference);
    return reference;
  }
  const ofUser = async (reference: string) => {
    const { userId } = await db()
      .selectFrom("sales")
      .select("userId")
      .where("reference", "=", reference)
      .executeTakeFirstOrThrow();
    return (await listOrders(db(), userId ?? ""))[0];
  };
  const titleOf = async (reference: string) => (await ofUser(reference))?.progress?.title;

  test("each step is marked once, with a row in the audit log", async () => {
    const { reference } = await sold();
    const steps = [
      ["pack", "Packed. Waiting for the carrier."],
      ["fulfil", "On its way to you."],
      ["deliver", "Delivered."],
      ["return", "Back with us."],
    ] as const;
    for (const [step, title] of steps) {
      expect(await say(step, reference)).toMatchObject({ code: 0 });
      expect(await say(step, reference)).toMatchObject({ code: 2, text: expect.stringContaining("already") });
      expect(await titleOf(reference)).toBe(title);
    }
    expect(await ofUser(reference)).toMatchObject({ status: "completed" });
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "order-sent"]);
    const { text } = await command(db(), ["audit", "list", "--subject", reference]);
    for (const [step] of steps) expect(text).toContain(`orders ${step}`);
  });

  test("a delivery on an earlier day counts from the end of that day, which the audit log has, too", async () => {
    const [{ reference }, today] = [await sold(), shopDay()];
    await say("fulfil", reference);
    await sql`update sales set fulfilled_at = now() - interval '5 days' where reference = ${reference}`.execute(db());
    const sent = shopDay(5);
    const refusals = [
      [shopDay(6), `It was sent on ${sent}`],
      [Temporal.PlainDate.from(today).add({ days: 1 }).toString(), "hasn’t come yet"],
      ["2026-02-31", "like 2026-01-31"],
      ["Monday", "like 2026-01-31"],
    ] as const;
    for (const [day, why] of refusals)
      expect(await say("deliver", reference, "--on", day)).toMatchObject({
        code: 2,
        text: expect.stringContaining(why),
      });
    const day = shopDay(4);
    expect(await say("deliver", reference, "--on", day)).toMatchObject({
      code: 0,
      text: expect.stringContaining(`delivered on ${day}`),
    });
    const at = new Date((endOfDay(day)?.getTime() ?? 0) - 1);
    const { text } = await command(db(), ["audit", "list", "--subject", reference]);
    expect(text).toContain(`"deliveredAt":"${day} 23:59"`);
    const order = await ofUser(reference);
    const delivery = order && deliveryOf(order, SHOP_ZONE, SHIPPED_NUMBERS);
    expect(delivery && returnDeadlines(delivery, new Date(), SHOP_ZONE, SHIPPED_NUMBERS)).toMatchObject({
      until: Temporal.PlainDate.from(day).add({ days: 14 }),
      damageUntil: new Date(at.getTime() + 48 * 3_600_000),
      isOpenForDamage: false,
    });
  });

  test("a delivery today counts from now, and one on the day of sending from the end of that day", async () => {
    const [now, then] = [await sold(), await sold()];
    for (const { reference } of [now, then]) await say("fulfil", reference);
    await sql`update sales set fulfilled_at = now() - interval '5 days' where reference = ${then.reference}`.execute(
      db(),
    );
    expect(await say("deliver", now.reference, "--on", shopDay())).toMatchObject({ code: 0 });
    expect(await say("deliver", then.reference, "--on", shopDay(5))).toMatchObject({ code: 0 });
    const at = async ({ reference }: { reference: string }) => (await ofUser(reference))?.deliveredAt?.getTime() ?? 0;
    expect(Math.abs((await at(now)) - Date.now())).toBeLessThan(60_000);
    expect(await at(then)).toBe((endOfDay(shopDay(5))?.getTime() ?? 0) - 1);
  });

  test("a pick-up that is ready is emailed once, and is no longer to be sent", async () => {
    const reference = await toPickUp();
    expect((await say("list", "--to-send")).text).toContain(reference);
    expect(await say("ready", reference)).toMatchObject({ code: 0 });
    expect(await say("ready", reference)).toMatchObject({ code: 2 });
    // The order's pieces already lie at the pick-up location.
    expect(await say("cancel", reference)).toMatchObject({
      code: 2,
      text: expect.stringContaining("already been sent"),
    });
    expect((await say("list", "--to-send")).text).not.toContain(reference);
    expect(await titleOf(reference)).toBe("Ready for you at Surulere.");
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "order-ready"]);
    const { data } = await db()
      .selectFrom("outbox")
      .select("data")
      .where("kind", "=", "order-ready")
      .executeTakeFirstOrThrow();
    expect((await renderers["order-ready"]?.(data))?.text).toMatch(/you can pick it up at\s+Surulere/);
    expect(await say("deliver", reference)).toMatchObject({ code: 0, text: expect.stringContaining("picked up") });
    expect(await titleOf(reference)).toBe("Picked up.");
    expect(await say("cancel", reference)).toMatchObject({ code: 2 }); // the shopper has the pieces
  });

  test.each([
    ["ready", "an order to an address", /delivered to an address/],
    ["deliver", "an order that was not sent", /'orders fulfil'/],
    ["return", "an order that has not left", /hasn’t left/],
  ])("orders %s is refused for %s", async (step, _, why) => {
    const { reference } = await sold();
    expect(await say(step, reference)).toMatchObject({ code: 2, text: expect.stringMatching(why) });
    expect(await titleOf(reference)).toBe("Paid. We’re packing it.");
  });

  test("a step is refused for an order that is not paid, or that was refunded", async () => {
    const { payment } = await oneBuyer();
    const { reference } = await sold();
    await say("refund", reference, "--yes");
    for (const step of ["pack", "fulfil"]) {
      expect(await say(step, payment.reference)).toMatchObject({ code: 2, text: expect.stringContaining("no sale") });
      expect(await say(step, reference)).toMatchObject({ code: 2, text: "It’s been refunded" });
    }
  });
});

describe("an order is found by its number", () => {
  test("as it is written, and as somebody dictates it", async () => {
    const { reference, payment } = await sold();
    const { number } = await db()
      .selectFrom("orders")
      .select("number")
      .where("id", "=", payment.orderId)
      .executeTakeFirstOrThrow();
    expect((await say("list")).text).toContain(`${number}  ${reference}`);
    expect(await say("show", number)).toMatchObject({ code: 0, data: { order: { number, reference } } });
    const typed = number.toLowerCase().replaceAll("-", " ").replaceAll("0", "o");
    expect(await say("pack", typed)).toMatchObject({ code: 0, data: { reference } });
    expect(await say("refund", number, "--amount", "5", "--yes")).toMatchObject({ code: 0, data: { reference } });
  });

  test("an unknown number is bad input", async () => {
    expect(await say("show", "IR-0000-00")).toMatchObject({ code: 2, text: "There’s no order IR-0000-00" });
  });
});

describe("F57 a charge that the restored shop does not know", () => {
  async function unknownCharge() {
    const { user, payment, productId } = await oneBuyer();
    const { reference } = payment;
    provider.pay(reference);
    await sql`update product_sizes set reserved = 0 where product_id = ${productId}`.execute(db());
    await sql`delete from reservations where product_id = ${productId}`.execute(db());
    await sql`delete from payments where reference = ${reference}`.execute(db());
    await sql`delete from orders where user_id = ${user.id}`.execute(db());
    return reference;
  }
  const isListed = async (reference: string) => (await check("--provider")).text.includes(reference);
  const backOf = (reference: string) => provider.ledger().find((one) => one.reference === reference)?.refundedKobo;
  const once = (reference: string) => provider.ledger().find((one) => one.reference === reference)?.kobo;

  test("is refunded once, however often the command is repeated, and then leaves the list", async () => {
    const reference = await unknownCharge();
    expect(await say("refund", reference, "--yes")).toMatchObject({
      code: 2,
      text: expect.stringContaining("check --provider"),
    });
    expect(await isListed(reference)).toBe(true);
    const said = await Promise.all([1, 2, 3].map(() => say("refund", reference, "--yes")));
    expect(said.map(({ code }) => code)).toContain(0);
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 0 });
    expect(backOf(reference)).toBe(once(reference));
    expect(await isListed(reference)).toBe(false);
    provider.finishRefunds("failed", reference);
    expect(await isListed(reference)).toBe(true);
    expect(await say("refund", reference, "--yes")).toMatchObject({
      code: 2,
      text: expect.stringContaining("five minutes"),
    });
    provider.finishRefunds("processed", reference);
    expect(await say("refund", reference, "--yes")).toMatchObject({
      code: 0,
      text: expect.stringContaining("been refunded"),
    });
  });

  test("is not refunded twice if the provider's response was lost", async () => {
    const reference = await unknownCharge();
    await isListed(reference);
    provider.faulty({ on: "POST /refund", before: true, drop: true });
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 2 });
    expect(await say("refund", reference, "--yes")).toMatchObject({
      code: 2,
      text: expect.stringContaining("five minutes"),
    });
    expect([backOf(reference), await isListed(reference)]).toEqual([0, true]);
    await sql`update payment_issues set details = details || '{"askedAt": "2026-01-01T00:00:00Z"}'`.execute(db());
    provider.faulty({ on: "POST /refund", drop: true });
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 2 });
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 0 });
    expect(backOf(reference)).toBe(once(reference));
  });

  test("is refunded as a whole or not at all", async () => {
    const reference = await unknownCharge();
    await isListed(reference);
    expect(await say("refund", reference, "--amount", "5", "--yes")).toMatchObject({ code: 2 });
    expect(backOf(reference)).toBe(0);
    provider.pay(reference, { status: "abandoned" });
  });

  test("stays on the list after a part refund in the provider's dashboard, until the rest is refunded", async () => {
    const reference = await unknownCharge();
    provider.refundByHand(reference, 1000);
    expect(await isListed(reference)).toBe(true);
    expect(await say("refund", reference, "--yes")).toMatchObject({ code: 0 });
    expect(backOf(reference)).toBe(once(reference));
    expect(await isListed(reference)).toBe(false);
  });

  test("is not refunded if nothing was charged, or if it belongs to an order", async () => {
    const reference = await unknownCharge();
    await isListed(reference);
    provider.pay(reference, { status: "abandoned" });
    expect(await say("refund", reference, "--yes")).toMatchObject({
      code: 2,
      text: expect.stringContaining("abandoned"),
    });
    const { payment } = await oneBuyer();
    expect((await say("refund", payment.reference, "--yes")).code).toBe(2);
    expect(provider.calls.filter((call) => call === "POST /refund")).toEqual([]);
  });
});

describe("orders resolve", () => {
  const listed = async (reference: string) => (await check()).text.includes(reference);

  test("an issue stays on the list of 'check' until it is resolved", async () => {
    const { reference } = await sold();
    provider.pay(reference, { status: "reversed" });
    await reviewRefunds(db(), reference);
    expect(await listed(reference)).toBe(true);
    expect(await say("resolve", reference)).toMatchObject({ code: 0, data: { resolved: 1 } });
    expect(await listed(reference)).toBe(false);
    expect(await say("resolve", reference)).toMatchObject({
      code: 2,
      text: expect.stringContaining("There's nothing"),
    });
  });

  test("a resolved charge of another shop with the same key stays off the list, though the provider reports it again", async () => {
    const reference = "other-shop";
    const opened = { reference, amount: 100_000, email: "ada@example.com", currency: "NGN" };
    await fetch(`${env.paystack.apiUrl}/transaction/initialize`, { method: "POST", body: JSON.stringify(opened) });
    provider.pay(reference);
    const review = async () => (await check("--provider")).text.includes(reference);
    expect(await review()).toBe(true);
    expect(await say("resolve", reference)).toMatchObject({ code: 0 });
    expect(await review()).toBe(false);
    expect(await review()).toBe(false);
    provider.pay(reference, { status: "abandoned" });
  });

  test("an issue whose money was refunded closes by itself", async () => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference, { currency: "USD" });
    await settlePayment(payment.reference);
    await catchUp(payment.reference);
    provider.finishRefunds("failed");
    await catchUp(payment.reference);
    expect(await listed(payment.reference)).toBe(true);
    provider.finishRefunds();
    await catchUp(payment.reference);
    expect(await refundOf(payment.reference)).toMatchObject({ state: "done" });
    expect(await listed(payment.reference)).toBe(false);
  });
});

describe("orders list", () => {
  type List = { total: number; orders: { reference: string; email: string; lines: object[]; shipping: object }[] };
  const list = async (...words: string[]) => (await say("list", ...words)).data as List;
  const references = async (...words: string[]) => (await list(...words)).orders.map(({ reference }) => reference);

  test("shows the total and one page of orders; JSON has all orders with all fields", async () => {
    await sql`
      insert into orders (user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo, expires_at, created_at)
      select null, 'released', 0, 'many@example.com', '{}', '[]', 100, 0, 100, 1600, now(), 160000, now(), '2020-01-01 00:30:00+00'
      from generate_series(1, 120)`.execute(db());
    const many = ["--email", "many@example.com"];
    const first = await say("list", ...many);
    expect(first.text.split("\n")).toHaveLength(51);
    expect(first.text).toContain("120 orders, page 1 of 3 (--page 2 for the next); times in Africa/Lagos");
    expect(first.text).toContain("2020-01-01 01:30");
    expect((await list(...many, "--page", "3")).orders).toHaveLength(20);
    expect(await say("list", ...many, "--page", "4"), "49 is no empty page").toMatchObject({
      code: 2,
      text: "There is no page 4. The last of the 120 orders is on page 3",
    });
    expect(await list(...many, "--json")).toMatchObject({ total: 120, orders: { length: 120 } });
    expect(await list("--json", "--page", "1", ...many)).toMatchObject({ total: 120, orders: { length: 50 } });
    await sql`delete from orders where email = 'many@example.com'`.execute(db());
  });

  test("--to-send: orders that are paid and not sent", async () => {
    const [waits, sent, back] = [await sold(), await sold(), await sold()];
    await say("fulfil", sent.reference);
    await say("refund", back.reference, "--yes");
    const found = await references("--to-send", "--json");
    expect(found).toContain(waits.reference);
    expect(found).not.toContain(sent.reference);
    expect(found).not.toContain(back.reference);
  });

  test("--email: by the account's address or the order's; --since: from a day on", async () => {
    const { reference, user } = await sold();
    expect(await references("--email", user.email.toUpperCase())).toEqual([reference]);
    expect(await references("--email", "ada@example.com")).toContain(reference);
    expect(await references("--email", "nobody@example.com")).toEqual([]);
    expect(await references("--since", "2020-01-01", "--email", user.email)).toEqual([reference]);
    expect(await references("--since", "2999-01-01")).toEqual([]);
    expect(await list("sold", "--email", user.email)).toMatchObject({
      orders: [{ lines: [{}], shipping: { state: "Lagos" } }],
    });
    expect(await say("list", "--since", "2026-02-31")).toMatchObject({ code: 2 });
  });
});

describe("a parcel", () => {
  const lastMail = async () => {
    const { data } = await db()
      .selectFrom("outbox")
      .select("data")
      .where("kind", "=", "order-sent")
      .orderBy("createdAt", "desc")
      .executeTakeFirstOrThrow();
    return renderers["order-sent"]?.(data);
  };

  test("has a carrier and a tracking number with spaces, and a correction is emailed as one", async () => {
    const { reference, user } = await sold();
    const first = ["--carrier", "GIG Logistics", "--tracking", "GIG 123 456"];
    expect(await say("fulfil", reference, ...first)).toMatchObject({ code: 0 });
    expect((await lastMail())?.text).toMatch(/GIG Logistics[\s\S]*GIG 123 456/);
    expect(await listOrders(db(), user.id)).toMatchObject([{ carrier: "GIG Logistics", tracking: "GIG 123 456" }]);
    expect(await say("fulfil", reference, ...first), "nothing new").toMatchObject({ code: 2 });
    const corrected = await say("fulfil", reference, "--tracking", "GIG 123 457");
    expect(corrected).toMatchObject({ code: 0, text: expect.stringContaining("corrected") });
    const mail = await lastMail();
    expect(mail?.subject).toContain("correction");
    expect(mail?.text).toMatch(/wasn’t right[\s\S]*GIG Logistics[\s\S]*GIG 123 457/);
    expect(await mailsAbout(reference)).toEqual(["order-confirmation", "order-sent", "order-sent"]);
    expect((await command(db(), ["audit", "list", "--subject", reference])).data).toMatchObject({
      changes: [{ before: { tracking: "GIG 123 456" }, after: { tracking: "GIG 123 457" } }, {}],
    });
  });

  test.each([
    ["said twice", ["GIG-1", "--tracking", "GIG-2"]],
    ["empty", ["--tracking", " "]],
    ["endless", ["--carrier", "x".repeat(101)]],
    ["of control characters", ["--tracking", "GIG\u001b[2J"]],
  ])("%s is bad input", async (_, words) => {
    const { reference } = await sold();
    expect(await say("fulfil", reference, ...words)).toMatchObject({ code: 2 });
    expect(await mailsAbout(reference)).toEqual(["order-confirmation"]);
  });
});

describe("orders sell", () => {
  test("to a customer with a phone number alone, who is deleted by it", async () => {
    const productId = await makeProduct(db(), { M: 2 });
    const words = ["sell", "--at", "Yaba market", "--piece", `${productId}:M:1`, "--by", "cash"];
    expect(await say(...words, "--phone", "08031112222", "--amount", "79984")).toMatchObject({ code: 0 });
    await endLinkChecks(db());
    const forget = (who: string) => command(db(), ["customers", "delete", who, "--yes"]);
    expect(await forget("+234 803 111 2222")).toMatchObject({ code: 0, text: expect.stringContaining("is deleted") });
    expect(await forget("08031112222")).toMatchObject({ code: 2, text: "There’s no customer '08031112222'" });
  });

  test("sells at a stall, and says what was taken", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const words = ["sell", "--at", "Yaba market", "--piece", `${productId}:M:1`, "--by", "cash"];
    expect(await say(...words, "--amount", "79984")).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^IR-\S+: ₦79,984 taken: cash$/),
    });
    expect(await say(...words, "--amount", "79984")).toMatchObject({
      code: 2,
      text: expect.stringContaining("0 in stock"),
    });
  });

  test.each([
    ["no stall", [], "--at STALL"],
    ["no items", ["--at", "Yaba"], "--piece ID:SIZE:N"],
    ["no amount", ["--at", "Yaba", "--piece", "a:M:1"], "--amount NAIRA"],
    ["no means", ["--at", "Yaba", "--piece", "a:M:1", "--amount", "100"], "--by cash"],
  ])("with %s is bad input, with the reason", async (_, words, reason) => {
    expect(await say("sell", ...words)).toMatchObject({ code: 2, text: expect.stringContaining(reason) });
  });
});
