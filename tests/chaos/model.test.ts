import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { isByHand, type Means } from "#app/by-hand/means.ts";
import { addToCart, mergeGuestCart, removeFromCart, setQuantity } from "#app/cart/cart.server.ts";
import { setCode } from "#app/cart/offers/code.server.ts";
import { storeRate } from "#app/catalog/rates.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { newCode } from "#app/infra/secrets/link-code.server.ts";
import { parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { askReturn, withdrawReturn } from "#app/orders/returns/ask.server.ts";
import { changeStock } from "#app/owner/catalog/stock.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import { sellAtStall } from "#app/owner/orders/stall/sell.server.ts";
import { reviewRefundsMade } from "#app/owner/provider-review.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, declineReturn, receiveReturn, sendExchange } from "#app/owner/returns/returns.server.ts";
import { giveByHand, toGiveBack } from "#app/payments/by-hand/give.server.ts";
import { takeByHand } from "#app/payments/by-hand/take.server.ts";
import { payByLink } from "#app/payments/links/pay.server.ts";
import { endPayerLink } from "#app/payments/links/payer-link.server.ts";
import type { OpenedPayment } from "#app/payments/outcomes.ts";
import { reconcileDue } from "#app/payments/reconcile.server.ts";
import { refundSale } from "#app/payments/refunds/refund-sale.server.ts";
import { reviewRefunds, runRefunds } from "#app/payments/refunds/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { startPayerLink, startPayment } from "#app/payments/start.server.ts";
import { closePayment, paymentStatus } from "#app/payments/status.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { Crashed, crashingDb } from "#tests/support/crashing-db.ts";
import { endOffers, makeOffer } from "#tests/support/offers.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { arrived } from "#tests/support/returns.ts";
import { shareOf } from "#tests/support/share.ts";
import { guestPiece, lagosForm, makeProduct, makeShopper, orderBy, type Shopper } from "#tests/support/shop.ts";
import type { Gift, Terms } from "./model-prices.ts";
import * as shop from "./shop-model.ts";

// MODEL_RUNS and MODEL_COMMANDS: more and longer stories. MODEL_SEED: other ones, or a run again.
const RUNS = Number(process.env.MODEL_RUNS ?? shareOf(800));
const SEED = Number(process.env.MODEL_SEED ?? 20_261_101); // fixed: `npm run chaos -- --model` draws another each time
const COMMANDS = Number(process.env.MODEL_COMMANDS ?? 10);
const CLEAN_EVERY = 40;
/** The number of stories in one test, which ends within a few minutes. */
const CHAPTER = 100;

const DAY = 24 * 60;
/** What the provider may say of a payment, the first most often. */
const SAID = ["success", "success", "success", "pending", "failed"] as const;
/** How an order by staff is paid. */
const LINK_PAID = ["never", "at once", "late", "by hand", "twice", "by transfer, and by hand"] as const;
/** Who may pay a shopper's order by its link. */
const PAYERS = ["ada@example.com", "bisi@example.com"];

const { db, url, provider } = useCheckout();
env.HOLD_AT_MOST = 8; // a few pieces: otherwise most stories would have no large order

type Real = { products: string[]; users: Shopper[] };
/** Each webhook has a number of its own, and so has each code. */
let webhooks = 0;
let codes = 0;
/** The users and products of the current story: time passes for their orders and sales alone. */
let users: string[] = [];
let products: string[] = [];
/** The address of the current story's customer of staff. */
let customer = "";
const isOwn = () =>
  sql<boolean>`(orders.user_id in (${sql.join(users)})
    or orders.id in (select order_id from staff_orders where email = ${customer}))`;
type Model = shop.Model;
type Command = fc.AsyncCommand<Model, Real>;

/** A command is a line of the story, and what it does to the model and to the shop. Both must give the same answer. */
function command(
  line: string,
  can: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  const runAndCount = async (model: Model, real: Real) => {
    await run(model, real);
    noMoreBackThanTaken();
  };
  return { check: can, run: runAndCount, toString: () => line };
}

/**
 * Expects, to the kobo, that the provider has not refunded, is not refunding and was not asked to refund more than was
 * paid.
 */
function noMoreBackThanTaken(): void {
  expect(provider.ledger().filter(({ kobo, refundedKobo }) => refundedKobo > kobo)).toEqual([]);
  expect(provider.tooMuch).toEqual([]);
}

const always = () => true;
const modelRate = (rate: number) => parseRate((rate / 100).toFixed(2)) as Rate;

// Commands name payments by a number, which wraps around the list of the existing ones.
const pick = (model: Model, index: number): shop.Payment => {
  const all = shop.payments(model);
  return shop.at(all, index % all.length);
};
const anyPayment = (model: Model) => shop.payments(model).length > 0;
/** Whether the provider knows the payment that a command names. */
const isAtProvider = (model: Model, index: number) =>
  anyPayment(model) && pick(model, index).said !== "unknown" && !pick(model, index).isByHand;

const times = <T>(count: number, list: T[]) => Array.from({ length: count }, () => list).flat();

const some = {
  user: fc.integer({ min: 0, max: 1 }),
  product: fc.integer({ min: 0, max: 1 }),
  payment: fc.nat({ max: 5 }),
  quantity: fc.integer({ min: 1, max: 4 }),
};

const shopping = [
  fc.tuple(some.user, some.product, some.quantity).map(([user, product, quantity]) =>
    command(`user ${user} adds ${quantity} of ${product}`, always, async (model, real) => {
      const wanted = { id: shop.at(real.products, product), size: "M", quantity };
      const { ok } = await addToCart(db(), shop.at(real.users, user).id, wanted);
      expect(ok).toBe(shop.add(model, user, product, quantity));
    }),
  ),
  fc.tuple(some.user, some.product, fc.integer({ min: 1, max: 12 })).map(([user, product, quantity]) =>
    command(`user ${user} sets ${product} to ${quantity}`, always, async (model, real) => {
      const wanted = { id: shop.at(real.products, product), size: "M", quantity };
      const { ok } = await setQuantity(db(), shop.at(real.users, user).id, wanted);
      expect(ok).toBe(shop.setQuantity(model, user, product, quantity));
    }),
  ),
  fc.tuple(some.user, some.product).map(([user, product]) =>
    command(`user ${user} removes ${product}`, always, async (model, real) => {
      await removeFromCart(db(), shop.at(real.users, user).id, { id: shop.at(real.products, product), size: "M" });
      shop.remove(model, user, product);
    }),
  ),
  fc.tuple(some.user, fc.constantFrom("one", "two"), some.product, some.quantity).map(([user, id, product, quantity]) =>
    command(`user ${user} logs in with guest cart ${id}: ${quantity} of ${product}`, always, async (model, real) => {
      const guest = guestPiece(shop.at(real.products, product), quantity);
      expect(await mergeGuestCart(db(), shop.at(real.users, user).id, id, [guest])).toMatchObject({ ok: true });
      shop.merge(model, user, id, new Map([[product, quantity]]));
    }),
  ),
];

const paying = [
  fc
    .tuple(
      some.user,
      fc.constantFrom("1 Broad Street", "2 Marina"),
      fc.constantFrom("none", "none", "right", "old"),
      fc.integer({ min: 0, max: 4 }).map((chance) => chance > 0),
      fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
    )
    .map(([user, address, agreed, agreesToNoHold, replyLost]) =>
      command(
        `user ${user} presses Pay for ${address}, agreed: ${agreed}, also to no hold: ${agreesToNoHold}, reply lost: ${replyLost}`,
        always,
        async (model, real) => {
          const sum = shop.sumOfCart(model, user);
          const agreedKobo = { none: undefined, right: sum, old: sum + 100 }[agreed];
          if (replyLost) provider.faulty({ on: "initialize", drop: true });
          await pressPay(db(), model, real, user, address, { agreedKobo, agreesToNoHold });
          provider.faultless();
        },
      ),
    ),
  fc.tuple(some.payment, fc.constantFrom(...SAID)).map(([index, said]) =>
    command(
      `the provider says ${said} of payment ${index}`,
      (model) => isAtProvider(model, index) && !["success", "reversed"].includes(pick(model, index).said),
      async (model) => {
        payUnseen(model, pick(model, index), said);
      },
    ),
  ),
];

/** A whole purchase in one command: otherwise few stories would come to what follows a sale. */
async function buy(model: Model, real: Real, user: number): Promise<void> {
  const payment = await pressPay(db(), model, real, user, "1 Broad Street", { agreesToNoHold: true });
  if (payment) await pay(model, payment);
}

/** Pays what was opened at the provider; the shop has not seen that yet. */
function payUnseen(model: Model, payment: shop.Payment, status: (typeof SAID)[number]): void {
  payment.said = status;
  payment.paid = { at: model.now, order: ++model.order };
  provider.pay(payment.reference, { status });
}

/** Pays what was opened at the provider, or begins a transfer there, and settles it. */
async function pay(model: Model, payment: shop.Payment, status: "success" | "pending" = "success"): Promise<void> {
  if (payment.said !== "abandoned") return;
  payUnseen(model, payment, status);
  expect((await settlePayment(payment.reference, db())).outcome).toBe(shop.settle(model, payment));
}

const asking = [
  fc.tuple(some.user, fc.integer({ min: 1, max: 3 })).map(([user, times]) =>
    command(`user ${user} begins an order and leaves its page, ${times} times`, always, async (model, real) => {
      for (let i = 0; i < times; i++) {
        const payment = await pressPay(db(), model, real, user, "1 Broad Street", { agreesToNoHold: true });
        if (!payment) return; // no payment could be started
        const answer = await closePayment(db(), shop.at(real.users, user).id, payment.reference);
        expect(answer?.outcome).toBe(shop.close(model, payment));
      }
    }),
  ),
  fc.tuple(some.payment, fc.constantFrom("the return page", "the page's poll", "a closed window")).map(([index, who]) =>
    command(`${who} asks about payment ${index}`, anyPayment, async (model, real) => {
      const payment = pick(model, index);
      const isByLink = payment.order.user === shop.STRANGER; // nobody has a page of the order
      const id = isByLink ? "" : shop.at(real.users, payment.order.user).id;
      const answer =
        isByLink || who === "the return page"
          ? await settlePayment(payment.reference, db())
          : who === "the page's poll"
            ? await paymentStatus(db(), id, payment.reference)
            : await closePayment(db(), id, payment.reference);
      const expected =
        !isByLink && who === "a closed window" ? shop.close(model, payment) : shop.settle(model, payment);
      expect(answer?.outcome).toBe(expected);
    }),
  ),
  some.payment.map((index) =>
    command(
      `a webhook tells of payment ${index}`,
      (model) => isAtProvider(model, index) && pick(model, index).said === "success",
      async (model) => {
        const payment = pick(model, index);
        await webhook("charge.success", { reference: payment.reference });
        await look(payment.reference);
        shop.settle(model, payment);
      },
    ),
  ),
];

const incidents = [
  some.payment.map((index) =>
    command(
      `the customer's bank takes payment ${index} back`,
      (model) =>
        isAtProvider(model, index) &&
        pick(model, index).said === "success" &&
        !pick(model, index).refunds.some(({ state }) => state === "sent" || state === "done"),
      async (model) => {
        const payment = pick(model, index);
        provider.pay(payment.reference, { status: "reversed" });
        const wasSettled = payment.settled !== undefined;
        shop.takeBack(payment);
        await webhook("refund.processed", { transaction_reference: payment.reference });
        await look(payment.reference);
        if (!wasSettled) shop.settle(model, payment);
        await refundRound();
        shop.runRefunds(model);
      },
    ),
  ),
  some.payment.map((index) =>
    command(`the owner gives the money of payment ${index} back`, anyPayment, async (model) => {
      const payment = pick(model, index);
      expect(await refundSale(db(), payment.reference, "returned")).toBe(shop.refundSale(payment));
    }),
  ),
  fc.constant(command("refunds arrive", always, async (model) => refundsArrive(model))),
  fc.constantFrom(0, 5, 16).map((minutes) =>
    command(`${minutes} minutes pass`, always, async (model) => {
      await tick(model, minutes);
    }),
  ),
  fc.constant(
    command(
      "a day and an hour pass",
      ({ now }) => now < DAY, // payments older than three days are not checked
      (model) => tick(model, DAY + 60),
    ),
  ),
  fc.tuple(some.product, fc.integer({ min: 1, max: 99_999 })).map(([product, priceCents]) =>
    command(`product ${product} costs ${priceCents} cents now`, always, async (model, real) => {
      await db()
        .updateTable("products")
        .set({ priceCents, normalCents: priceCents })
        .where("id", "=", shop.at(real.products, product))
        .execute();
      shop.at(model.products, product).priceCents = priceCents;
    }),
  ),
  fc.tuple(some.product, fc.integer({ min: 1, max: 99 })).map(([product, percent]) =>
    command(
      `product ${product} is on sale, ${percent}% less`,
      (model) => shop.at(model.products, product).salePercent === undefined,
      async (model, real) => {
        await sql`insert into sale_prices (plan_id, product_id, percent, starts_at)
          values (gen_random_uuid(), ${shop.at(real.products, product)}, ${percent}, clock_timestamp())`.execute(db());
        shop.at(model.products, product).salePercent = percent;
      },
    ),
  ),
  some.product.map((product) =>
    command(
      `the sale of product ${product} ends`,
      (model) => shop.at(model.products, product).salePercent !== undefined,
      async (model, real) => {
        await sql`update sale_prices set ends_at = clock_timestamp()
          where product_id = ${shop.at(real.products, product)} and ends_at is null`.execute(db());
        shop.at(model.products, product).salePercent = undefined;
      },
    ),
  ),
  fc.integer({ min: 120_000, max: 200_000 }).map((rate) =>
    command(`a dollar is ${rate / 100} naira now`, always, async (model) => {
      await storeRate(db(), modelRate(rate), "test");
      model.rate = rate;
    }),
  ),
  fc.tuple(some.product, fc.integer({ min: 0, max: 12 })).map(([product, onHand]) =>
    command(`${onHand} of product ${product} lie on the shelf now`, always, async (model, real) => {
      const id = shop.at(real.products, product);
      const set = { by: OWNER, action: "stock set", id, size: "M", target: () => onHand };
      const { ok } = await changeStock(db(), set);
      expect(ok).toBe(shop.restock(model, product, onHand));
    }),
  ),
  fc
    .tuple(some.payment, fc.integer({ min: 1, max: 25 }), fc.constantFrom("before" as const, "after" as const))
    .map(([index, statement, how]) =>
      command(`the shop dies ${how} statement ${statement} of settling payment ${index}`, anyPayment, async (model) => {
        const payment = pick(model, index);
        await dying(statement, how, (on) => settlePayment(payment.reference, on));
        expect((await settlePayment(payment.reference, db())).outcome).toBe(shop.settle(model, payment));
      }),
    ),
  fc
    .tuple(some.user, fc.integer({ min: 1, max: 25 }), fc.constantFrom("before" as const, "after" as const))
    .map(([user, statement, how]) =>
      command(
        `the shop dies ${how} statement ${statement} while user ${user} presses Pay`,
        // An order that is found to be paid meanwhile is reported once; the next press begins another order.
        (model) => !shop.liveOf(model, user)?.payments.some(({ said }) => said === "success" || said === "reversed"),
        async (model, real) => {
          const order = orderOf(real, user, "1 Broad Street", { agreesToNoHold: true });
          await dying(statement, how, (on) => startPayment(on, order));
          await db().updateTable("payments").set({ leasedUntil: null }).execute(); // the dead process's lease runs out
          await pressPay(db(), model, real, user, "1 Broad Street", { agreesToNoHold: true });
        },
      ),
    ),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom("before" as const, "after" as const))
    .map(([statement, how]) =>
      command(`the shop dies ${how} statement ${statement} of giving money back`, always, async (model) => {
        await dueRefunds();
        await dying(statement, how, (on) => runRefunds(on));
        await tick(model, 0);
      }),
    ),
];

/** Staff hold items for a customer in a chat, who pays by a link. Its orders are no cart's. */
const links = [
  fc
    .tuple(some.product, some.quantity, fc.constantFrom(15, 120, DAY + 30), fc.constantFrom(...LINK_PAID))
    .map(([product, quantity, minutes, paid]) =>
      command(
        `staff hold ${quantity} of ${product} for ${minutes} minutes, paid ${paid}`,
        always,
        async (model, real) => {
          const units = [{ productId: shop.at(real.products, product), size: "M", quantity }];
          const wish = { email: customer, units, heldFor: minutes * MINUTE, address: lagosForm };
          const held = await putTogether(db(), OWNER, wish).catch(refused);
          const order = shop.hold(model, product, quantity, minutes);
          expect(held?.kobo).toBe(order?.kobo);
          if (!held || !order) return;
          const asked = db().selectFrom("payments").select("orderId").where("reference", "=", held.reference);
          order.id = (await asked.executeTakeFirstOrThrow()).orderId;
          await addPayments(order);
          if (paid === "never") return;
          if (paid === "by hand") return takeMoney(model, order, "cash");
          const payment = await openLink(model, order);
          if (!payment) return;
          if (paid === "late" && model.now < DAY) await tick(model, DAY + 60);
          if (paid === "twice") payUnseen(model, payment, "success");
          else await pay(model, payment, paid === "by transfer, and by hand" ? "pending" : "success");
          if (paid === "twice" || paid === "by transfer, and by hand") await takeMoney(model, order, "terminal");
          await tick(model, 0);
          if (paid === "twice") await giveMoney(order);
        },
      ),
    ),
  fc.tuple(fc.nat({ max: 2 }), fc.boolean()).map(([index, pays]) =>
    command(
      `whoever has link ${index} presses Pay, pays: ${pays}`,
      (model) => linked(model).length > 0,
      async (model) => {
        const order = shop.at(linked(model), index % linked(model).length);
        const payment = await openLink(model, order);
        if (pays && payment) await pay(model, payment);
      },
    ),
  ),
  fc.tuple(fc.nat({ max: 2 }), fc.constantFrom("cash" as const, "terminal" as const)).map(([index, means]) =>
    command(
      `staff take the money for link ${index}: ${means}`,
      (model) => linked(model).length > 0,
      async (model) => {
        const order = shop.at(linked(model), index % linked(model).length);
        await takeMoney(model, order, means);
      },
    ),
  ),
  fc.nat({ max: 2 }).map((index) =>
    command(
      `staff give back by hand what they took for link ${index}`,
      (model) => linked(model).length > 0,
      async (model) => {
        const order = shop.at(linked(model), index % linked(model).length);
        await giveMoney(order);
      },
    ),
  ),
];

const linked = (model: Model) => model.orders.filter(({ user }) => user === shop.STRANGER);

async function openLink(
  model: Model,
  order: shop.Order,
  payerEmail: string | null = null,
): Promise<shop.Payment | undefined> {
  const opened = await payByLink(db(), order.id, payerEmail);
  expect(opened.ok ? "opened" : opened.problem).toBe(shop.openLink(model, order));
  return opened.ok ? openedOf(order, opened) : undefined;
}

async function takeMoney(model: Model, order: shop.Order, means: Means): Promise<void> {
  const kobo = shop.toTake(model, order.kobo, means);
  const taken = { means, kobo, by: OWNER.name };
  const { ok } = await takeByHand(db(), shop.at(order.payments, 0).reference, taken);
  expect(ok).toBe(shop.mayTakeByHand(model, order));
  await addPayments(order);
  const payment = order.payments.find(({ isByHand }) => isByHand);
  if (!ok || !payment) return;
  Object.assign(payment, { kobo, said: "success", paid: { at: model.now, order: ++model.order } });
  shop.settle(model, payment);
}

async function giveMoney(order: shop.Order): Promise<void> {
  const { reference } = shop.at(order.payments, 0);
  const agreedKobo = (await toGiveBack(db(), reference))?.kobo ?? 0;
  const { ok } = await giveByHand(db(), reference, { agreedKobo, by: OWNER.name });
  expect(ok).toBe(shop.giveByHand(order));
}

/** A shopper lets somebody else pay: by a link that anybody may open, who then has a payment of their own. */
const payers = [
  fc
    .tuple(some.user, fc.constantFrom("1 Broad Street", "2 Marina"), fc.constantFrom("none", "right", "old"))
    .map(([user, address, agreed]) =>
      command(`user ${user} makes a link for ${address}, agreed: ${agreed}`, always, async (model, real) => {
        const sum = shop.sumOfCart(model, user);
        const agreedKobo = { none: undefined, right: sum, old: sum + 100 }[agreed];
        await makeLink(model, real, user, address, agreedKobo);
      }),
    ),
  fc
    .tuple(some.user, fc.constantFrom("at once", "late", "by transfer"), fc.integer({ min: 1, max: 2 }))
    .map(([user, pays, count]) =>
      command(`user ${user} makes a link, which ${count} pay ${pays}`, always, async (model, real) => {
        const order = await makeLink(model, real, user, "1 Broad Street");
        if (!order) return;
        const opened: shop.Payment[] = [];
        for (const payer of PAYERS.slice(0, count)) {
          const payment = await openLink(model, order, payer);
          if (payment) opened.push(payment);
        }
        if (pays === "late" && model.now < DAY) await tick(model, DAY + 60);
        for (const payment of opened) await pay(model, payment, pays === "by transfer" ? "pending" : "success");
      }),
    ),
  fc.tuple(fc.nat({ max: 2 }), fc.constantFrom(...PAYERS), fc.boolean()).map(([index, payer, pays]) =>
    command(
      `${payer} presses Pay on link ${index} of a shopper, pays: ${pays}`,
      (model) => forPayers(model).length > 0,
      async (model) => {
        const order = shop.at(forPayers(model), index % forPayers(model).length);
        const payment = await openLink(model, order, payer);
        if (pays && payment) await pay(model, payment);
      },
    ),
  ),
  some.user.map((user) =>
    command(`user ${user} ends the link`, always, async (model, real) => {
      await endPayerLink(db(), shop.at(real.users, user).id);
      shop.endPayerLink(model, user);
    }),
  ),
];

const forPayers = (model: Model) => model.orders.filter(({ byPayerLink }) => byPayerLink);

async function makeLink(
  model: Model,
  real: Real,
  user: number,
  address: string,
  agreedKobo?: number,
): Promise<shop.Order | undefined> {
  const wish = { ...orderOf(real, user, address, { agreedKobo }), payerLink: { code: newCode(), line: "" } };
  const made = await startPayerLink(db(), wish);
  const expected = shop.start(model, user, address, { agreedKobo }, true);
  expect(made.ok ? "opened" : made.problem).toBe(expected.answer);
  if (!made.ok || expected.answer !== "opened") return;
  const { order, fresh } = expected;
  if (fresh) order.id = made.orderId;
  expect(made.orderId).toBe(order.id);
  await addPayments(order);
  return order;
}

function refused(error: unknown): undefined {
  if (!(error instanceof BadInput)) throw error;
}

/** What is taken at a stall: what is asked for, all of it in cash, too, or another sum. */
const STALL_SUMS = ["asked", "asked", "whole", "more", "less"] as const;
type AtStall = { product: number; quantity: number; means: Means; sum: (typeof STALL_SUMS)[number] };

/** Items are sold at a stall, at a moment at which shoppers have orders of the same items open. */
const stall = [
  fc
    .record({
      product: some.product,
      quantity: some.quantity,
      means: fc.constantFrom<Means>("cash", "cash", "terminal"),
      sum: fc.constantFrom(...STALL_SUMS),
    })
    .map((wish) =>
      command(
        `a stall sells ${wish.quantity} of ${wish.product} for the sum: ${wish.sum}, by ${wish.means}`,
        always,
        (model, real) => sellThere(model, real, wish),
      ),
    ),
  fc.boolean().map((rounds) =>
    command(`cash is rounded: ${rounds}`, always, async (model) => {
      await roundCash(rounds);
      model.roundsCash = rounds;
    }),
  ),
];

async function sellThere(model: Model, real: Real, { product, quantity, means, sum }: AtStall): Promise<void> {
  const units = [{ productId: shop.at(real.products, product), size: "M", quantity }];
  const whole = shop.sumAtStall(model, product, quantity);
  const asked = shop.toTake(model, whole, means);
  const kobo = { asked, whole, more: whole + 100, less: asked - 100 }[sum];
  const sale = { units, kobo, means, stall: "Yaba market", email: "", phone: "", name: "" };
  const sold = await sellAtStall(db(), OWNER, sale).catch(refused);
  const isRight = sum === "asked" || sum === "whole";
  expect(sold !== undefined).toBe(isRight && shop.sellAtStall(model, product, quantity));
  if (!sold) return;
  const row = await db()
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .innerJoin("handTakings", "handTakings.reference", "payments.reference")
    .innerJoin("sales", "sales.reference", "payments.reference")
    .select(["orders.kobo", "handTakings.kobo as taken", "handTakings.roundingKobo as rounded", "sales.kobo as sold"])
    .where("orders.number", "=", sold.number)
    .executeTakeFirst();
  expect([row?.kobo, row?.taken, row?.rounded, row?.sold].map(Number)).toEqual([whole, kobo, whole - kobo, kobo]);
}

async function roundCash(rounds: boolean): Promise<void> {
  await db().deleteFrom("shopSettings").execute();
  if (!rounds) await db().insertInto("shopSettings").values({ cashRounding: "none" }).execute();
}

const someMoney = (most: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: most }).map((cents) => ({ cents })),
    fc.integer({ min: 1, max: most }).map((cents) => ({ kobo: cents * 1600 })),
  );
const free = fc.constant<Gift>({ kind: "delivery" });
const someGift: fc.Arbitrary<Gift> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("percent" as const), percent: fc.integer({ min: 1, max: 90 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("sum" as const), off: someMoney(9000) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("set" as const),
      buy: fc.integer({ min: 1, max: 2 }),
      get: fc.constant(1),
      percent: fc.constantFrom(50, 100, 100),
    }),
  },
  { weight: 1, arbitrary: free },
);
/** About everything or one product, for all orders or so many, or for carts with a code, which counts so many times. */
const offerOf = (gift: fc.Arbitrary<Gift>) =>
  fc.record({
    gift,
    about: fc.constantFrom<number[] | undefined>(undefined, undefined, [0], [1]),
    onSaleToo: fc.boolean(),
    fromPieces: fc.constantFrom(0, 0, 0, 2),
    from: fc.option(someMoney(12_000), { freq: 1, nil: undefined }),
    most: fc.constantFrom(undefined, 1, 1, 2),
  });
/**
 * Offers that run at once: at most two on prices, since the model tries every way to share out the pieces. The code is
 * for the first of them.
 */
const someOffers = fc.record({
  all: fc
    .tuple(fc.array(offerOf(someGift), { minLength: 1, maxLength: 2 }), fc.option(offerOf(free), { freq: 1 }))
    .map(([some, delivery]) => (delivery ? [...some, delivery] : some)),
  withCode: fc.integer({ min: 0, max: 2 }).map((chance) => chance === 0),
});
type NewOffers = { all: (Terms & { most?: number })[]; withCode: boolean };

/** Ends the offers that run, and begins others. */
async function beginOffers(model: Model, real: Real, { all, withCode }: NewOffers): Promise<void> {
  await stopOffers(model);
  for (const [place, { most, about, ...terms }] of all.entries()) {
    const code = withCode && place === 0 ? `FRIEND-${++codes}` : undefined;
    const products = about?.map((product) => shop.at(real.products, product)) ?? [];
    const limit = code ? { code, codeUses: most } : { mostUses: most };
    const id = await makeOffer(db(), { ...terms, products }, limit);
    model.offers.push({ ...terms, about, id, most, code, used: 0, runs: true });
  }
}

async function stopOffers(model: Model): Promise<void> {
  await endOffers(db());
  for (const offer of model.offers) offer.runs = false;
}

async function typeCode(model: Model, real: Real, user: number, code: string | undefined): Promise<void> {
  await setCode(db(), shop.at(real.users, user).id, code ?? null);
  shop.typeCode(model, user, code);
}

const newestCode = (model: Model) => model.offers.findLast(({ code }) => code)?.code;

const offers = [
  ...times(2, [
    someOffers.map((begun) =>
      command(
        `offers begin, of which the first has a code: ${begun.withCode}: ${JSON.stringify(begun.all)}`,
        always,
        async (model, real) => {
          await beginOffers(model, real, begun);
          if (begun.withCode) await typeCode(model, real, 0, newestCode(model));
        },
      ),
    ),
  ]),
  fc.tuple(some.user, fc.boolean()).map(([user, isRight]) =>
    command(
      `user ${user} types the newest code: ${isRight}`,
      (model) => newestCode(model) !== undefined,
      (model, real) => typeCode(model, real, user, isRight ? newestCode(model) : undefined),
    ),
  ),
  fc.constant(
    command(
      "the offers end",
      (model) => model.offers.some(({ runs }) => runs),
      (model) => stopOffers(model),
    ),
  ),
];

/** Partial refunds: by the owner, by hand at the provider, failing, with lost answers. */
const parts = [
  fc.tuple(some.payment, some.product).map(([index, product]) =>
    command(`the owner gives one of product ${product} of payment ${index} back`, anyPayment, async (model, real) => {
      const payment = pick(model, index);
      const pieces = [{ productId: shop.at(real.products, product), size: "M", quantity: 1 }];
      const done = await refundWished(db(), payment.reference, { pieces });
      expect(done?.ok ?? false).toBe(shop.refundPieces(payment, product));
    }),
  ),
  fc.tuple(some.payment, fc.integer({ min: 1, max: 120 })).map(([index, percent]) =>
    command(`the owner gives ${percent} hundredths of payment ${index} back`, anyPayment, async (model) => {
      const payment = pick(model, index);
      const kobo = Math.ceil((payment.kobo * percent) / 100);
      const done = await refundWished(db(), payment.reference, { kobo });
      expect(done?.ok ?? false).toBe(shop.refundSum(payment, kobo));
    }),
  ),
  some.payment.map((index) =>
    command(`the owner says 'orders refund' of payment ${index}`, anyPayment, async (model) => {
      const payment = pick(model, index);
      const done = await refundWished(db(), payment.reference);
      expect(done?.ok ?? false).toBe(shop.refundAgain(payment));
    }),
  ),
  fc.tuple(some.payment, fc.integer({ min: 1, max: 100 }), fc.boolean()).map(([index, percent, told]) =>
    command(
      `somebody gives ${percent} hundredths of the rest of payment ${index} back at the provider, told of it: ${told}`,
      (model) =>
        isAtProvider(model, index) &&
        pick(model, index).settled !== undefined &&
        pick(model, index).said === "success" &&
        shop.left(pick(model, index)) > 0 &&
        !pick(model, index).refunds.some(({ state }) => state === "open"),
      async (model) => {
        const payment = pick(model, index);
        const kobo = Math.ceil((shop.left(payment) * percent) / 100);
        provider.refundByHand(payment.reference, kobo);
        if (told) await webhook("refund.processed", { transaction_reference: payment.reference, id: ++webhooks });
        if (told) await look(payment.reference);
        if (told) await refundRound();
        else await reviewRefundsMade(db(), 7);
        shop.refundByHand(payment, kobo);
        if (told) shop.runRefunds(model);
        else for (const one of shop.payments(model)) shop.seeArrived(one);
      },
    ),
  ),
  some.payment.map((index) =>
    command(
      `what is under way of payment ${index} fails at the provider`,
      (model) => isAtProvider(model, index),
      async (model) => {
        const payment = pick(model, index);
        provider.finishPending("failed", payment.reference);
        await reviewRefunds(db(), payment.reference);
        shop.fail(payment);
        if (payment.settled) shop.seeArrived(payment);
      },
    ),
  ),
  fc.boolean().map((before) =>
    command(
      `the provider's next answer to a refund is lost, ${before ? "before" : "after"} it acts`,
      always,
      async (model) => {
        provider.faulty({ on: "POST /refund", drop: true, before });
        await refundRound();
        provider.faultless();
        await refundRound();
        shop.runRefunds(model);
        shop.runRefunds(model);
      },
    ),
  ),
];

type Told = { payment: shop.Payment; one: shop.Return };
const returnsOf = (model: Model): Told[] =>
  shop.payments(model).flatMap((payment) => payment.returns.map((one) => ({ payment, one })));

const sales = (model: Model) => shop.payments(model).filter(({ settled }) => settled === "paid");
const by = { name: "bola", door: "office" } as const;
/** Refunds a return of which `came` pieces arrived. */
async function refundOf({ payment, one }: Told, model: Model, real: Real, came: number): Promise<void> {
  const pieces = [{ productId: shop.at(real.products, one.product), size: "M", quantity: came }];
  const { ok } = await refundReturn(db(), one.number, { by, pieces, withShipping: false, restock: true });
  expect(ok).toBe(shop.refundReturn(model, payment, one, came));
}

/** The steps of a return, each with the same answer from the shop and from the model. */
const STEPS = {
  approve: async ({ payment, one }: Told, model: Model) => {
    const { ok } = await approveReturn(db(), one.number, { by });
    expect(ok).toBe(shop.approve(model, payment, one));
  },
  receive: async ({ one }: Told) => {
    const { ok } = await receiveReturn(db(), one.number, { by });
    expect(ok).toBe(shop.receive(one));
  },
  refund: (told: Told, model: Model, real: Real) => refundOf(told, model, real, told.one.quantity),
  "refund of one piece": (told: Told, model: Model, real: Real) => refundOf(told, model, real, 1),
  exchange: async ({ payment, one }: Told, model: Model) => {
    const { ok } = await sendExchange(db(), one.number, { by, restock: true });
    expect(ok).toBe(shop.sendExchange(model, payment, one));
  },
  decline: async ({ one }: Told) => {
    const { ok } = await declineReturn(db(), one.number, { by, message: "No" });
    expect(ok).toBe(shop.decline(one));
  },
  withdraw: async ({ payment, one }: Told, _: Model, real: Real) => {
    const { id } = shop.at(real.users, payment.order.user);
    expect(await withdrawReturn(db(), id, one.number)).toBe(shop.withdraw(one));
  },
};

/** A shopper returns pieces, for money or for others of the same product. */
const asksBack = fc
  .tuple(
    some.payment,
    some.product,
    fc.constantFrom(1, 2, 2, 3),
    fc.constantFrom("money" as const, "exchange" as const),
    fc.nat({ max: 3 }),
    fc.boolean(),
  )
  .map(([index, product, quantity, wish, steps, cameWhole]) =>
    command(
      `${quantity} of product ${product} of sale ${index} go back for ${wish}, ${steps} steps far, all of them came: ${cameWhole}`,
      always,
      async (model, real) => {
        const byUsers = () => sales(model).filter(({ order }) => order.user !== shop.STRANGER);
        if (byUsers().length === 0) await buy(model, real, index % 2);
        const all = byUsers();
        if (all.length === 0) return; // nothing could be bought
        const payment = shop.at(all, index % all.length);
        await arrived(db(), payment.reference);
        const productId = shop.at(real.products, product);
        const pieces = [{ productId, size: "M", quantity, newSize: wish === "exchange" ? "M" : null }];
        const { id } = shop.at(real.users, payment.order.user);
        const request = { pieces, reason: "wrong" as const, words: "another one" };
        const answer = await askReturn(db(), id, payment.reference, request);
        expect(answer?.ok ?? false).toBe(shop.askReturn(model, payment, { product, quantity, wish }));
        if (!answer?.ok) return;
        const one: shop.Return = { number: answer.numbers[0] ?? "", product, quantity, wish, state: "asked" };
        payment.returns.push(one);
        const refund = cameWhole ? STEPS.refund : STEPS["refund of one piece"];
        const end = wish === "money" || !cameWhole ? refund : STEPS.exchange;
        for (const step of [STEPS.approve, STEPS.receive, end].slice(0, steps))
          await step({ payment, one }, model, real);
      },
    ),
  );
const returns = [
  ...times(6, [asksBack]),
  ...Object.entries(STEPS).map(([name, step]) =>
    fc.nat({ max: 3 }).map((index) =>
      command(
        `${name} of return ${index}`,
        (model) => returnsOf(model).length > 0,
        async (model, real) => {
          const all = returnsOf(model);
          await step(shop.at(all, index % all.length), model, real);
        },
      ),
    ),
  ),
];

/** Weighted so that most commands are about paying. */
const commands = [
  ...shopping,
  ...incidents,
  ...offers,
  ...stall,
  ...times(2, links),
  ...times(2, payers),
  ...times(2, parts),
  ...times(9, paying),
  ...times(3, asking),
  ...returns,
];

function orderOf(real: Real, user: number, address: string, agreed: shop.Agreed) {
  return { ...orderBy(shop.at(real.users, user), address), ...agreed };
}

/** The payment that is opened. Undefined if the shop refuses. */
async function pressPay(
  on: Db,
  model: Model,
  real: Real,
  user: number,
  address: string,
  agreed: shop.Agreed,
): Promise<shop.Payment | undefined> {
  const opened = await startPayment(on, orderOf(real, user, address, agreed));
  const expected = shop.start(model, user, address, agreed);
  expect(opened.ok ? "opened" : opened.problem).toBe(expected.answer);
  if (!opened.ok || expected.answer !== "opened") return;
  const { order, fresh } = expected;
  if (fresh) order.id = opened.orderId;
  return openedOf(order, opened);
}

/** The payment that the shop has just opened for an order. */
async function openedOf(order: shop.Order, opened: OpenedPayment): Promise<shop.Payment | undefined> {
  expect([opened.orderId, opened.kobo]).toEqual([order.id, order.kobo]);
  await addPayments(order);
  const payment = order.payments.find(({ reference }) => reference === opened.reference);
  expect([payment !== undefined, provider.knows(opened.reference)]).toEqual([true, true]);
  if (!order.byPayerLink && order.user !== shop.STRANGER) expect(order.payments.at(-1)).toBe(payment);
  if (payment?.said === "unknown") payment.said = "abandoned";
  return payment;
}

/** Adds the payments that the shop has begun since. */
async function addPayments(order: shop.Order): Promise<void> {
  const rows = await db()
    .selectFrom("payments")
    .select(["reference", "payerEmail", "provider"])
    .where("orderId", "=", order.id)
    .orderBy("createdAt")
    .execute();
  for (const { reference, payerEmail, provider: taker } of rows.slice(order.payments.length))
    order.payments.push({
      reference,
      order,
      isPayers: payerEmail !== null,
      isByHand: isByHand(taker),
      kobo: order.kobo,
      refunds: [],
      returns: [],
      said: provider.knows(reference) ? "abandoned" : "unknown",
    });
}

async function webhook(event: string, data: object): Promise<void> {
  const { body, signature } = signedWebhook(event, data);
  expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
}

async function dying(statement: number, how: "before" | "after", work: (on: Db) => Promise<unknown>): Promise<void> {
  const doomed = crashingDb(url(), statement, how);
  await work(doomed.db).catch((error) => {
    if (!(error instanceof Crashed)) throw error;
  });
  await doomed.db.destroy();
}

/** Checks a payment if it is due. */
async function look(reference: string): Promise<void> {
  await sql`update payments set next_check_at = now() + interval '1 day'
    where reference <> ${reference} and next_check_at <= now()`.execute(db());
  while (await reconcileDue(db(), 1));
}

/** Checks a payment as if it were due, provided that the shop still watches it. */
async function lookNow(reference: string): Promise<void> {
  await sql`update payments set next_check_at = case reference when ${reference} then now() else now() + interval '1 day' end
    where (reference = ${reference} and next_check_at is not null) or next_check_at <= now()`.execute(db());
  await reconcileDue(db(), 1);
}

/**
 * Makes the refunds of this story due: one that may have been requested already is requested again only after five
 * minutes.
 */
async function dueRefunds(): Promise<void> {
  await sql`update refunds r set next_try_at = now(), updated_at = now() - interval '6 minutes'
    from payments p join orders on orders.id = p.order_id
    where p.reference = r.reference and ${isOwn()}`.execute(db());
}

async function refundRound(): Promise<void> {
  await dueRefunds();
  while (await runRefunds(db()));
}

async function tick(model: Model, minutes: number): Promise<void> {
  if (minutes > 0) {
    const passed = sql.raw(`interval '${minutes} minutes'`);
    await sql`with own as (
        update orders set expires_at = expires_at - ${passed}, created_at = created_at - ${passed}, released_at = released_at - ${passed}
        where ${isOwn()} returning id
      ), own_sales as (
        update sales set created_at = created_at - ${passed} from own where order_id = own.id
      ), own_prices as (
        update sale_prices set starts_at = starts_at - ${passed}, ends_at = ends_at - ${passed}
        where product_id in (${sql.join(products)})
      )
      update payments set created_at = created_at - ${passed}, paid_at = paid_at - ${passed} from own where order_id = own.id
    `.execute(db());
    provider.growOlder(minutes);
  }
  for (const { reference } of shop.payments(model)) await lookNow(reference);
  await refundRound();
  shop.tick(model, minutes);
}

async function newShop(): Promise<{ model: Model; real: Real }> {
  await endOffers(db());
  await roundCash(true);
  await storeRate(db(), modelRate(160_000), "test");
  products = [await makeProduct(db(), { M: 3 }), await makeProduct(db(), { M: 12 }, 1999)];
  const [first = "", second = ""] = products;
  const shoppers = [
    await makeShopper(db(), { productId: first, size: "M" }),
    await makeShopper(db(), { productId: first, size: "M" }, { productId: second, size: "M", quantity: 2 }),
  ];
  users = shoppers.map(({ id }) => id);
  customer = `${users[0]}@example.com`;
  const model: Model = {
    now: 0,
    order: 0,
    holdAtMost: env.HOLD_AT_MOST,
    rate: 160_000,
    shippingCents: 350,
    products: [
      { id: first, priceCents: 4999, supplied: 3, sold: 0 },
      { id: second, priceCents: 1999, supplied: 12, sold: 0 },
    ],
    users: [
      new Map([[0, 1]]),
      new Map([
        [0, 1],
        [1, 2],
      ]),
    ].map((cart) => ({ cart, version: 0, merged: new Map(), lastSale: 0 })),
    orders: [],
    offers: [],
    roundsCash: true,
  };
  return { model, real: { products, users: shoppers } };
}

/** Fails the transfers under way, lets unpaid orders run out, and completes refunds. */
async function comeToAnEnd(model: Model): Promise<void> {
  for (const payment of shop.payments(model)) {
    if (payment.said !== "pending") continue;
    payment.said = "failed";
    provider.pay(payment.reference, { status: "failed" });
  }
  await tick(model, 16);
  refundsArrive(model);
  await tick(model, 0);
}

function refundsArrive(model: Model): void {
  provider.finishPending("processed");
  shop.arrive(model);
}

/** Compares the shop's tables with the model. */
async function compare(model: Model, real: Real): Promise<void> {
  const [sizes, lines, orders, payments, refunds, returned, used, uses] = await Promise.all([
    db()
      .selectFrom("productSizes")
      .select(["productId", "supplied", "sold", "reserved"])
      .where("productId", "in", real.products)
      .execute(),
    db().selectFrom("cartLines").select(["userId", "productId", "quantity"]).where("userId", "in", users).execute(),
    db()
      .selectFrom("orders")
      .select(["id", "state", "holdsStock", "kobo", "shippingCents", "lines"])
      .where(isOwn())
      .execute(),
    db()
      .selectFrom("payments")
      .innerJoin("orders", "orders.id", "payments.orderId")
      .leftJoin("sales", "sales.reference", "payments.reference")
      .leftJoin("handTakings", "handTakings.reference", "payments.reference")
      .select(["payments.reference", "payments.state", "sales.status as sale", "payments.kobo", "roundingKobo"])
      .where(isOwn())
      .execute(),
    db()
      .selectFrom("refunds")
      .innerJoin("payments", "payments.reference", "refunds.reference")
      .innerJoin("orders", "orders.id", "payments.orderId")
      .select(["refunds.reference", "origin", "refunds.state", "refunds.kobo"])
      .where(isOwn())
      .execute(),
    db().selectFrom("returns").select(["number", "state", "wish"]).execute(),
    db()
      .selectFrom("offers")
      .leftJoin("offerCodes", "offerId", "offers.id")
      .select(["offers.id", sql<number>`coalesce(offer_codes.used, offers.used)`.as("used")])
      .execute(),
    db().selectFrom("offerUses").select(["orderId", "offerId", "held"]).execute(),
  ]);
  const seen = {
    products: real.products
      .map((id) => sizes.find(({ productId }) => productId === id))
      .map((row) => [row?.supplied, row?.sold, row?.reserved]),
    carts: real.users.map(({ id }) =>
      lines
        .filter(({ userId }) => userId === id)
        .map(({ productId, quantity }) => `${quantity} of ${real.products.indexOf(productId)}`)
        .sort(),
    ),
    orders: model.orders.map(({ id }) => {
      const row = orders.find((one) => one.id === id);
      const cost = row?.lines.map((line) => [real.products.indexOf(line.productId), line.priceCents]);
      return [row?.state, row?.holdsStock, Number(row?.kobo), row?.shippingCents === 0, cost?.sort()];
    }),
    payments: shop.payments(model).map(({ reference }) => {
      const row = payments.find((one) => one.reference === reference);
      const settled = row?.state === "paid" || row?.state === "refused" ? row.state : null;
      return [settled, row?.sale, Number(row?.kobo), Number(row?.roundingKobo)];
    }),
    refunds: shop
      .payments(model)
      .map((payment) => refundsTold(refunds.filter((one) => one.reference === payment.reference))),
    returns: returnsOf(model).map(({ one }) => {
      const row = returned.find(({ number }) => number === one.number);
      return [row?.state, row?.wish];
    }),
    offers: model.offers.map(({ id }) => used.find((one) => one.id === id)?.used),
    uses: model.orders.map(({ id }) => {
      const own = uses.filter(({ orderId }) => orderId === id);
      return own.map(({ offerId, held }) => [offerId, held]).sort();
    }),
  };
  expect(seen).toEqual({
    products: model.products.map(({ supplied, sold }, index) => [supplied, sold, shop.reserved(model, index)]),
    carts: model.users.map(({ cart }) => [...cart].map(([product, quantity]) => `${quantity} of ${product}`).sort()),
    orders: model.orders.map(({ state, holdsStock, kobo, shippingKobo, prices }) => {
      return [state, holdsStock, kobo, shippingKobo === 0, [...prices].sort()];
    }),
    payments: shop.payments(model).map(({ settled, order, kobo, isByHand: byHand }) => {
      const sale = settled === "paid" ? (order.state === "sold" ? "completed" : order.state) : null;
      return [settled ?? null, sale, kobo, byHand ? order.kobo - kobo : 0];
    }),
    refunds: shop.payments(model).map((payment) => refundsTold(payment.refunds)),
    returns: returnsOf(model).map(({ one }) => [one.state, one.wish]),
    offers: model.offers.map(({ used }) => used),
    uses: model.orders.map(({ uses }) => uses.map(({ offer, held }) => [offer.id, held]).sort()),
  });
}

function refundsTold(refunds: { origin: string; state: string; kobo: number | string }[]): string[] {
  return refunds.map(({ origin, state, kobo }) => `${origin} ${state} ${kobo}`).sort();
}

async function clean(): Promise<void> {
  await sql`truncate users, carts, cart_lines, cart_merges, products, product_sizes, exchange_rates, orders, reservations, payments,
    sales, sale_lines, refunds, webhook_inbox, payment_issues, outbox, offers cascade`.execute(db());
  await sql`truncate jobs.job`.execute(db());
  provider.reset();
}

const chapters = Array.from({ length: Math.ceil(RUNS / CHAPTER) }, (_, chapter) => SEED + chapter);

test.each(chapters)(
  `stories of up to ${COMMANDS} commands, seed %d: the shop and its model agree`,
  {
    timeout: COMMANDS * 30_000,
  },
  async (seed) => {
    let runs = 0;
    const stories = fc.commands(commands, { maxCommands: COMMANDS, size: "max" });
    await fc.assert(
      fc.asyncProperty(fc.option(someOffers, { freq: 1 }), stories, async (begun, story) => {
        if (runs++ % CLEAN_EVERY === 0) await clean();
        const shops = await newShop();
        try {
          if (begun) await beginOffers(shops.model, shops.real, begun);
          if (begun?.withCode) await typeCode(shops.model, shops.real, 1, newestCode(shops.model));
          await fc.asyncModelRun(() => shops, story);
          const { model, real } = shops;
          await comeToAnEnd(model);
          await compare(model, real);
          const broken = await checkInvariants(db(), provider.ledger());
          expect(broken.filter(({ rule }) => rule !== "I13")).toEqual([]); // I13: these stories cause such issues
        } catch (error) {
          await clean();
          throw error;
        }
      }),
      { numRuns: Math.min(CHAPTER, RUNS), seed, endOnFailure: false },
    );
  },
);
