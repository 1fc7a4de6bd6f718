import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addToCart, mergeGuestCart } from "#app/cart/cart.server.ts";
import { setCode } from "#app/cart/offers/code.server.ts";
import { storeRate } from "#app/catalog/rates.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { changeOwnSize } from "#app/orders/size-change/own.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn } from "#app/owner/returns/returns.server.ts";
import { reconcileDue } from "#app/payments/reconcile.server.ts";
import { refundSale } from "#app/payments/refunds/refund-sale.server.ts";
import { runRefunds } from "#app/payments/refunds/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { closePayment, paymentStatus } from "#app/payments/status.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { makeOffer } from "#tests/support/offers.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { arrived, asked, delivered, OFFICE } from "#tests/support/returns.ts";
import { share } from "#tests/support/share.ts";
import { guestPiece, makeProduct, makeShopper, orderBy, putInCart } from "#tests/support/shop.ts";
import { newStage } from "./stepping-db.ts";

// Each guard of money, stock and orders is removed in turn. With the guard, its story ends well. Without it, something
// must be noticed: an error, a broken rule, or something that exists twice. A guard whose removal nobody notices is
// useless or has no test.

const { db, url, provider, open, oneBuyer, stockOf, salesOf, statesOf, cartOf } = useCheckout({ max: 30 });

type Guard = {
  /** DDL that removes the guard, and DDL that restores it. */
  drop?: string;
  restore?: string;
  /** Removes the guard from every statement that is sent. */
  rewrite?: (statement: string) => string;
  off?: "signature" | "verdict";
  /** What is noticed without the guard: a part of the story's complaints or of its error. */
  notices: string;
  story: (stages: Stages) => Promise<string[]>;
};
// Guards that are not SQL: these functions contain them, and each is switched off by its name.
const off = vi.hoisted(() => ({ signature: false, verdict: false }));
vi.mock("#app/paystack/client.server.ts", async (original) => {
  const real = await original<typeof import("#app/paystack/client.server.ts")>();
  return {
    ...real,
    isSigned: (...given: Parameters<typeof real.isSigned>) => off.signature || real.isSigned(...given),
  };
});
vi.mock("#app/payments/classify.ts", async (original) => {
  const real = await original<typeof import("#app/payments/classify.ts")>();
  const classify = (...[transaction, order]: Parameters<typeof real.classify>) =>
    off.verdict && transaction.state === "paid" ? { kind: "paid" as const } : real.classify(transaction, order);
  return { ...real, classify };
});

type Stages = { first: Stage; second: Stage };
type Stage = ReturnType<typeof newStage>;

const noLock = (statement: string) => statement.replace(/ for update( of [a-z, ]+)?( skip locked)?$/, "");
const noOrderLock = (statement: string) =>
  /from "?(carts|payments|orders)\b/.test(statement) ? noLock(statement) : statement;
const noSizeLock = (statement: string) => statement.replace(" for no key update of s", "");
const replacing = (what: string | RegExp, by: string) => (statement: string) => statement.replace(what, by);

const GUARDS: Record<string, Guard> = {
  "the locks of an order, while it is settled twice": {
    notices: "not sold",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoSettlements),
  },
  "the locks of an order and the one sale of an order": {
    notices: "sold twice",
    drop: "alter table sales drop constraint sales_order_id_key, drop constraint sales_reference_key",
    restore: "alter table sales add unique (order_id), add unique (reference)",
    rewrite: (statement) => noOrderLock(statement.replace("and state in ('open', 'waiting', 'released')", "")),
    story: (stages) => everywhere(stages, twoSettlements),
  },
  "the lock of the cart, while two orders of a shopper are settled": {
    notices: "two orders of one shopper",
    rewrite: (statement) => (/^select version from carts/.test(statement) ? noLock(statement) : statement),
    story: (stages) => everywhere(stages, twoPaidOrders),
  },
  "the lock of a size, while two want the last one": {
    notices: "stock_never_oversold",
    rewrite: noSizeLock,
    story: (stages) => everywhere(stages, twoForTheLast),
  },
  "the lock of a size and the CHECK of the stock": {
    notices: "reserved twice",
    drop: "alter table product_sizes drop constraint stock_never_oversold",
    restore:
      "alter table product_sizes add constraint stock_never_oversold check (reserved >= 0 and reserved <= supplied - sold)",
    rewrite: noSizeLock,
    story: (stages) => everywhere(stages, twoForTheLast),
  },
  "the CHECK of the stock, when a statement by hand goes wrong": {
    notices: "I1",
    drop: "alter table product_sizes drop constraint stock_never_oversold",
    restore:
      "alter table product_sizes add constraint stock_never_oversold check (reserved >= 0 and reserved <= supplied - sold)",
    story: async () => {
      await makeProduct(db(), { M: 1 });
      return refusedByDatabase(sql`update product_sizes set sold = 2`);
    },
  },
  "the lock of the cart and the one live order of a shopper": {
    notices: "two live orders",
    drop: "drop index orders_one_live_per_user",
    restore: "create unique index orders_one_live_per_user on orders (user_id) where state in ('open', 'waiting')",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoTabs),
  },
  "the lock of the cart, while two tabs press Pay": {
    notices: "orders_one_live_per_user",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoTabs),
  },
  "the locks of an order, while two refunds of it are asked for": {
    notices: "refunds_never_exceed_payment",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoRefunds),
  },
  "the locks of an order and the CHECK of what goes back": {
    notices: "given back twice",
    drop: "alter table payments drop constraint refunds_never_exceed_payment",
    restore: `alter table payments add constraint refunds_never_exceed_payment
      check (refunding_kobo >= 0 and refunded_kobo >= 0 and refunding_kobo + refunded_kobo <= coalesce(paid_kobo, kobo))`,
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoSums),
  },
  "the locks of an order, while a piece is given back twice": {
    notices: "go back than were bought",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoPieces),
  },
  "the locks of an order and the trigger that counts what goes back": {
    notices: "I18",
    drop: "alter table refunds disable trigger count_refund",
    restore: "alter table refunds enable trigger count_refund",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoPieces),
  },
  "the locks of an order, while a piece is to be returned twice": {
    notices: "go back than were bought",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoReturns),
  },
  "the locks of an order and the trigger that looks at returns": {
    notices: "I18",
    drop: "alter table return_pieces disable trigger check_return",
    restore: "alter table return_pieces enable trigger check_return",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoReturns),
  },
  "the locks of an order, while one form changes a size twice": {
    notices: "size_changes_pkey",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, twoSizeChanges),
  },
  "the locks of an order, while a piece changes its size and is given back": {
    notices: "go back than were bought",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, changeAndRefund),
  },
  "the locks of an order and the trigger that looks at changed sizes": {
    notices: "I18",
    drop: "alter table size_changes disable trigger check_size_change",
    restore: "alter table size_changes enable trigger check_size_change",
    rewrite: noOrderLock,
    story: (stages) => everywhere(stages, changeAndRefund),
  },
  "the lock of a size, while two exchanges want the last one": {
    notices: "stock_never_oversold",
    rewrite: noSizeLock,
    story: (stages) => everywhere(stages, twoExchanges),
  },
  "the locks of an order and of a return, while it is refunded twice": {
    notices: "the return was refunded twice",
    rewrite: (statement) => (/from "returns"/.test(statement) ? noLock(statement) : noOrderLock(statement)),
    story: (stages) => everywhere(stages, twoReturnRefunds),
  },
  "the one refund of the shipping": {
    notices: "shipping twice",
    drop: "drop index refunds_shipping_once",
    restore:
      "create unique index refunds_shipping_once on refunds (reference) where with_shipping and state not in ('failed', 'void')",
    story: async () => {
      const { reference } = await bought(2);
      const again = () =>
        db().insertInto("refunds").values({ reference, kobo: 1, reason: "returned", withShipping: true }).execute();
      await again();
      const refused = await again().then(
        () => false,
        () => true,
      );
      return complain("shipping twice", !refused);
    },
  },
  "the one refund of the shop for one at the provider": {
    notices: "known twice",
    drop: "drop index refunds_at_provider",
    restore: "create unique index refunds_at_provider on refunds (provider_id) where provider_id is not null",
    story: async () => {
      const { reference } = await bought(2);
      const note = () =>
        db()
          .insertInto("refunds")
          .values({ reference, kobo: 1, reason: "provider", providerId: "1", origin: "provider" })
          .execute();
      await note();
      const refused = await note().then(
        () => false,
        () => true,
      );
      return complain("known twice", !refused);
    },
  },
  "the one line of the inbox for a webhook": {
    notices: "the inbox has it more than once",
    drop: "alter table webhook_inbox drop constraint webhook_inbox_pkey",
    restore: "alter table webhook_inbox add primary key (body_hash)",
    story: async () => {
      const { payment } = await oneBuyer();
      const { body, signature } = signedWebhook("charge.success", { reference: payment.reference });
      for (let i = 0; i < 3; i++) await receiveWebhook("paystack", body, signature);
      return complain(
        "the inbox has it more than once",
        (await db().selectFrom("webhookInbox").selectAll().execute()).length > 1,
      );
    },
  },
  "the one row of a guest cart that was merged": {
    notices: "the guest cart is there twice",
    drop: "alter table cart_merges drop constraint cart_merges_pkey",
    restore: "alter table cart_merges add primary key (user_id, merge_id)",
    story: async () => {
      const productId = await makeProduct(db(), { M: 9 });
      const user = await makeShopper(db());
      for (let i = 0; i < 2; i++) await mergeGuestCart(db(), user.id, "guest", [guestPiece(productId)]);
      return complain("the guest cart is there twice", (await cartOf(user))[0]?.quantity !== 1);
    },
  },
  "the one mail of an event": {
    notices: "ON CONFLICT",
    drop: "alter table outbox drop constraint outbox_idempotency_key_key",
    restore: "alter table outbox add unique (idempotency_key)",
    story: async ({ first }) => {
      const { payment } = await oneBuyer();
      provider.pay(payment.reference);
      await whole(first, (on) => settlePayment(payment.reference, on));
      return [];
    },
  },
  "the version of the cart": {
    notices: "the old payment is offered for a new cart",
    rewrite: replacing("version = carts.version + 1", "version = carts.version"),
    story: async ({ first }) => {
      const { productId, user, payment } = await oneBuyer(5);
      await whole(first, (on) => addToCart(on, user.id, { id: productId, size: "M", quantity: 1 }));
      const again = await open(user);
      return complain("the old payment is offered for a new cart", again.reference === payment.reference);
    },
  },
  "the lease of a payment that is being opened": {
    notices: "two references",
    rewrite: replacing(/ and \("leased_until" is null or "leased_until" <= now\(\)\)/, ""),
    story: (stages) => everywhere(stages, twoPresses),
  },
  "the claim of a payment that is looked at": {
    notices: "two processes look at once",
    rewrite: replacing(/next_check_at" = now\(\) \+ (\$\d::interval)/, 'next_check_at" = now() + 0 * $1'),
    story: async ({ first, second }) => {
      const { payment } = await oneBuyer();
      await db()
        .updateTable("payments")
        .set({ nextCheckAt: new Date(0) })
        .execute();
      const looks = () => provider.calls.filter((call) => call.includes(`verify/${payment.reference}`)).length;
      const before = looks();
      const [one, two] = [first.enter((on) => reconcileDue(on, 1)), second.enter((on) => reconcileDue(on, 1))];
      await one.step();
      await one.step();
      await two.run();
      await one.run();
      return complain("two processes look at once", looks() - before > 1);
    },
  },
  "the mark on a refund before it is asked for": {
    notices: "asked for twice",
    rewrite: replacing(/and \(state = 'open' or .* - (\$\d::interval)\)\)/, "and $1 is not null"),
    story: (stages) => everywhere(stages, twoAsk),
  },
  "the look for another order that was paid": {
    notices: "two tabs made two orders",
    rewrite: replacing("since.created_at >= a.created_at", "false and $&"),
    story: async ({ first }) => {
      const { user, payment } = await oneBuyer(10);
      await putInCart(db(), user.id, await makeProduct(db(), { L: 10 }), "L");
      const second = await open(user);
      for (const { reference } of [payment, second]) {
        provider.pay(reference);
        await whole(first, (on) => settlePayment(reference, on));
      }
      return complain("two tabs made two orders", (await salesOf(user)).length > 1);
    },
  },
  "the time of an order's release": {
    notices: "an old page was sold",
    rewrite: replacing("a.released_at", "now() + interval '1 day' as released_at"),
    story: paidLate(({ productId }) => setPrice(productId, 59_999)),
  },
  "today's price of an order that is paid late": {
    notices: "an old page was sold",
    rewrite: replacing(
      /select id, (.*) as price_cents from products/,
      "select id, least(1, $1) as price_cents from products",
    ),
    story: paidLate(({ productId }) => setPrice(productId, 59_999)),
  },
  "today's rate of an order that is paid late": {
    notices: "an old page was sold",
    rewrite: replacing("where in_force order by id desc", "where in_force order by id"),
    story: paidLate(async () => {
      for (const rate of ["1600", "3200"]) await storeRate(db(), parseRate(rate) as Rate, "test");
    }),
  },
  "the age of an order that is paid late": {
    notices: "an old page was sold",
    rewrite: replacing("a.released_at, a.created_at", "a.released_at, now() as created_at"),
    story: paidLate(({ payment }) =>
      db()
        .updateTable("orders")
        .set({ createdAt: sql`created_at - interval '25 hours'` })
        .where("id", "=", payment.orderId)
        .execute(),
    ),
  },
  "the mark of an order that holds nothing": {
    notices: "I1: its counter says",
    rewrite: replacing("a.holds_stock", "true as holds_stock"),
    story: async ({ first }) => {
      const { works } = await twoLarge();
      await whole(first, works[0]);
      return rulesBroken();
    },
  },
  "the lock of a size, while two large orders are settled": {
    notices: "stock_never_oversold",
    rewrite: noSizeLock,
    story: (stages) => everywhere(stages, twoLarge),
  },
  "the count of orders that lapsed": {
    notices: "holds stock again",
    rewrite: replacing(/now\(\) - (\$\d::interval)/, "now() - 0 * $1"),
    story: async ({ first }) => {
      const { productId, user, payment } = await oneBuyer();
      await closePayment(db(), user.id, payment.reference);
      for (let i = 0; i < 2; i++) await closePayment(db(), user.id, (await open(user)).reference);
      await whole(first, (on) => startPayment(on, { ...orderBy(user), agreesToNoHold: true }));
      return complain("holds stock again", (await stockOf(productId)).reserved > 0);
    },
  },
  "the count of an offer's uses, while two want the last one": {
    notices: "the last use was had twice",
    rewrite: replacing(" and o.used < o.most_uses", ""),
    story: (stages) => everywhere(stages, () => twoForTheLastUse({ mostUses: 1 })),
  },
  "the count of a code's uses, while two want the last one": {
    notices: "the last use was had twice",
    rewrite: replacing(" and c.used < c.most_uses", ""),
    story: (stages) => everywhere(stages, () => twoForTheLastUse({ code: "LAST-ONE", codeUses: 1 })),
  },
  "the look at an offer that is paused while an order is made": {
    notices: "an order has an offer that was over",
    rewrite: replacing("o.paused or o.starts_at > now() or o.ends_at <= now()", "false"),
    story: (stages) => everywhere(stages, orderAndPause),
  },
  "the count of an offer's uses, when an order is paid late": {
    notices: "an old page was sold",
    drop: `do $$ declare kept text := pg_get_functiondef('hold_offers(uuid, boolean)'::regprocedure); begin
      alter function hold_offers(uuid, boolean) rename to hold_offers_kept;
      execute replace(kept, ' and (not hold or used < most_uses)', '');
    end $$`,
    restore:
      "drop function hold_offers(uuid, boolean); alter function hold_offers_kept(uuid, boolean) rename to hold_offers",
    story: async (stages) => {
      await makeOffer(db(), TEN, { mostUses: 1 });
      return paidLate(({ productId }) => pressedBy(productId))(stages);
    },
  },
  "the owner of a payment": {
    notices: "a stranger is told",
    rewrite: replacing("a.user_id = $2", "($&) is not null"),
    story: async ({ first }) => {
      const { payment } = await oneBuyer();
      const stranger = await makeShopper(db());
      const status = await whole(first, (on) => paymentStatus(on, stranger.id, payment.reference));
      return complain("a stranger is told", status !== undefined);
    },
  },
  "the CHECK of an order's sums": {
    notices: "I6",
    drop: "alter table orders drop constraint orders_check",
    restore: "alter table orders add constraint orders_check check (total_cents = subtotal_cents + shipping_cents)",
    story: async () => {
      await oneBuyer();
      return refusedByDatabase(sql`update orders set total_cents = total_cents - 100`);
    },
  },
  "the CHECK of whole naira": {
    notices: "I6",
    drop: "alter table orders drop constraint orders_kobo_check",
    restore: "alter table orders add constraint orders_kobo_check check (kobo > 0 and kobo % 100 = 0)",
    story: async () => {
      await oneBuyer();
      return refusedByDatabase(sql`update orders set kobo = kobo - 1`);
    },
  },
};

const PAID_WRONGLY = [
  ["amount", (kobo: number) => ({ amount: kobo - 1 })],
  ["asked amount", (kobo: number) => ({ requested_amount: kobo - 100 })],
  ["currency", () => ({ currency: "USD" })],
  ["mode", () => ({ domain: "live" })],
] as const;
for (const [what, as] of PAID_WRONGLY)
  GUARDS[`the comparison of the ${what} that was paid`] = {
    notices: "a payment that does not fit is a sale",
    off: "verdict",
    story: async ({ first }) => {
      const { user, payment } = await oneBuyer();
      provider.pay(payment.reference, as(payment.kobo));
      await whole(first, (on) => settlePayment(payment.reference, on));
      return complain("a payment that does not fit is a sale", (await salesOf(user)).length > 0);
    },
  };
GUARDS["the comparison of a webhook's signature"] = {
  notices: "a forged webhook is taken in",
  off: "signature",
  story: async () => {
    const { payment } = await oneBuyer();
    const { body } = signedWebhook("charge.success", { reference: payment.reference });
    const { status } = await receiveWebhook("paystack", body, "0".repeat(128));
    return complain("a forged webhook is taken in", status !== 401);
  },
};

type Bought = Awaited<ReturnType<typeof oneBuyer>>;

/** A page that was left is paid after something has changed: this may lead to nothing but a refund. */
function paidLate(change: (bought: Bought) => Promise<unknown>): Guard["story"] {
  return async ({ first }) => {
    const bought = await oneBuyer();
    const { user, payment } = bought;
    await closePayment(db(), user.id, payment.reference);
    await change(bought);
    provider.pay(payment.reference);
    await whole(first, (on) => settlePayment(payment.reference, on));
    return complain("an old page was sold", (await salesOf(user)).length > 0);
  };
}

const setPrice = (productId: string, priceCents: number) =>
  db().updateTable("products").set({ priceCents }).where("id", "=", productId).execute();

type Two = { works: [(on: Db) => Promise<unknown>, (on: Db) => Promise<unknown>]; check: () => Promise<string[]> };

async function twoSettlements(): Promise<Two> {
  const { user, payment } = await oneBuyer(3);
  provider.pay(payment.reference);
  const work = (on: Db) => settlePayment(payment.reference, on);
  return { works: [work, work], check: async () => complain("sold twice", (await salesOf(user)).length !== 1) };
}

async function twoPaidOrders(): Promise<Two> {
  const { user, payment } = await oneBuyer(3);
  await putInCart(db(), user.id, await makeProduct(db(), { L: 3 }), "L");
  const { reference } = await open(user);
  for (const paid of [payment.reference, reference]) provider.pay(paid);
  return {
    works: [(on) => settlePayment(payment.reference, on), (on) => settlePayment(reference, on)],
    check: async () => complain("two orders of one shopper", (await salesOf(user)).length !== 1),
  };
}

async function twoForTheLast(): Promise<Two> {
  const productId = await makeProduct(db(), { M: 1 });
  const [one, two] = [
    await makeShopper(db(), { productId, size: "M" }),
    await makeShopper(db(), { productId, size: "M" }),
  ];
  return {
    works: [(on) => startPayment(on, orderBy(one)), (on) => startPayment(on, orderBy(two))],
    check: async () => complain("reserved twice", (await stockOf(productId)).reserved !== 1),
  };
}

const TEN = { gift: { kind: "percent", percent: 10 } } as const;

/** Another shopper has an open order of a product. */
async function pressedBy(productId: string): Promise<void> {
  await db().updateTable("productSizes").set({ supplied: 9 }).where("productId", "=", productId).execute();
  await open(await makeShopper(db(), { productId, size: "M" }));
}

/** Two orders under an offer with one use left. */
async function twoForTheLastUse(limit: { mostUses: number } | { code: string; codeUses: number }): Promise<Two> {
  await sql`truncate offers cascade`.execute(db());
  const id = await makeOffer(db(), TEN, limit);
  const productId = await makeProduct(db(), { M: 9 });
  const shoppers = [
    await makeShopper(db(), { productId, size: "M" }),
    await makeShopper(db(), { productId, size: "M" }),
  ] as const;
  if ("code" in limit) for (const one of shoppers) await setCode(db(), one.id, limit.code);
  const held = () => db().selectFrom("offerUses").select("orderId").where("offerId", "=", id).where("held", "=", true);
  return {
    works: [(on) => startPayment(on, orderBy(shoppers[0])), (on) => startPayment(on, orderBy(shoppers[1]))],
    check: async () => complain("the last use was had twice", (await held().execute()).length !== 1),
  };
}

/** An order under an offer that is paused meanwhile. */
async function orderAndPause(): Promise<Two> {
  await sql`truncate offers cascade`.execute(db());
  await makeOffer(db(), TEN);
  const productId = await makeProduct(db(), { M: 9 });
  const user = await makeShopper(db(), { productId, size: "M" });
  let paused = new Date(0);
  const pause = async (on: Db) => {
    const { rows } = await sql<{ at: Date }>`update offers set paused = true returning clock_timestamp() as at`.execute(
      on,
    );
    paused = rows[0]?.at ?? paused;
  };
  return {
    works: [(on) => startPayment(on, orderBy(user)), pause],
    check: async () => {
      const orders = await db()
        .selectFrom("orders")
        .innerJoin("offerUses", "offerUses.orderId", "orders.id")
        .select("orders.id")
        .where("orders.userId", "=", user.id)
        .where("orders.createdAt", ">", paused)
        .execute();
      return complain("an order has an offer that was over", orders.length > 0);
    },
  };
}

/** Two orders, both paid, with enough stock for one. */
async function twoLarge(): Promise<Two> {
  const productId = await makeProduct(db(), { M: 60 });
  const buyers = [await makeShopper(db()), await makeShopper(db())];
  const references: string[] = [];
  for (const buyer of buyers) {
    await putInCart(db(), buyer.id, productId, "M", 51);
    references.push((await open(buyer, { agreesToNoHold: true })).reference);
  }
  for (const reference of references) provider.pay(reference);
  const [one = "", two = ""] = references;
  return {
    works: [(on) => settlePayment(one, on), (on) => settlePayment(two, on)],
    check: async () => complain("sold twice", (await stockOf(productId)).sold !== 51),
  };
}

async function twoTabs(): Promise<Two> {
  const productId = await makeProduct(db(), { M: 3 });
  const user = await makeShopper(db(), { productId, size: "M" });
  return {
    works: [
      (on) => startPayment(on, orderBy(user, "1 Broad Street")),
      (on) => startPayment(on, orderBy(user, "2 Marina")),
    ],
    check: async () =>
      complain("two live orders", (await statesOf(user)).filter((state) => state === "open").length > 1),
  };
}

async function twoPresses(): Promise<Two> {
  const productId = await makeProduct(db(), { M: 3 });
  const user = await makeShopper(db(), { productId, size: "M" });
  const work = (on: Db) => startPayment(on, orderBy(user));
  return {
    works: [work, work],
    check: async () =>
      complain(
        "two references",
        (
          await db()
            .selectFrom("payments")
            .innerJoin("orders", "orders.id", "payments.orderId")
            .selectAll()
            .where("userId", "=", user.id)
            .execute()
        ).length > 1,
      ),
  };
}

async function bought(quantity: number): Promise<{ reference: string; productId: string }> {
  const productId = await makeProduct(db(), { M: quantity });
  const { reference } = await open(await makeShopper(db(), { productId, size: "M", quantity }));
  provider.pay(reference);
  await settlePayment(reference, db());
  return { reference, productId };
}

async function twoRefunds(): Promise<Two> {
  const { reference } = await bought(1);
  const work = (on: Db) => refundSale(on, reference, "returned");
  return { works: [work, work], check: () => moreThanPaid(reference) };
}

/** Two refunds of a sum, each more than half of what was paid. */
async function twoSums(): Promise<Two> {
  const { reference } = await bought(2);
  const work = (on: Db) => refundWished(on, reference, { kobo: 9_000_000 });
  return { works: [work, work], check: () => moreThanPaid(reference) };
}

async function moreThanPaid(reference: string): Promise<string[]> {
  const refunds = await db().selectFrom("refunds").select("kobo").where("reference", "=", reference).execute();
  const { kobo } = await db()
    .selectFrom("payments")
    .select("kobo")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const sum = refunds.reduce((all, one) => all + Number(one.kobo), 0);
  return complain("given back twice", sum > Number(kobo));
}

/** Two refunds of one piece out of three: what was paid would cover both. */
async function twoPieces(): Promise<Two> {
  const productId = await makeProduct(db(), { M: 1, L: 2 });
  const user = await makeShopper(db(), { productId, size: "M" }, { productId, size: "L", quantity: 2 });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference, db());
  const work = (on: Db) => refundWished(on, reference, { pieces: [{ productId, size: "M", quantity: 1 }] });
  return { works: [work, work], check: async () => [] };
}

/** An order of two M, and what its shopper's form does that changes so many to L. */
async function twoM() {
  const productId = await makeProduct(db(), { M: 2, L: 2 });
  const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference, db());
  const change = (quantity: number) => (on: Db) =>
    changeOwnSize(on, user.id, reference, { productId, size: "M", quantity, newSize: "L" }, 0);
  return { productId, reference, change };
}

/** One form, sent twice, for one of two pieces. */
async function twoSizeChanges(): Promise<Two> {
  const { change } = await twoM();
  return { works: [change(1), change(1)], check: async () => [] };
}

/** Both pieces change their size, and one of them is given back. */
async function changeAndRefund(): Promise<Two> {
  const { productId, reference, change } = await twoM();
  const refund = (on: Db) => refundWished(on, reference, { pieces: [{ productId, size: "M", quantity: 1 }] });
  return { works: [change(2), refund], check: async () => [] };
}

/** Two requests to return the only piece of an order. */
async function twoReturns(): Promise<Two> {
  const sale = await delivered({ db, open, provider });
  const work = (on: Db) => asked(on, sale).catch(unlessRefused);
  return { works: [work, work], check: async () => [] };
}

async function twoExchanges(): Promise<Two> {
  const first = await delivered({ db, open, provider }, { sizes: { M: 2, L: 1 } });
  const user = await makeShopper(db(), { productId: first.productId, size: "M" });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference, db());
  await arrived(db(), reference);
  const numbers = [
    await asked(db(), first, { newSize: "L" }),
    await asked(db(), { ...first, user, reference }, { newSize: "L" }),
  ];
  const [one, two] = numbers.map((number) => (on: Db) => approveReturn(on, number, { by: OFFICE }));
  if (!one || !two) throw new Error("There are two");
  return { works: [one, two], check: async () => [] };
}

/** Two refunds of a return of one piece out of two: the money for the other piece would cover the second refund. */
async function twoReturnRefunds(): Promise<Two> {
  const sale = await delivered({ db, open, provider }, { quantity: 2 });
  const number = await asked(db(), sale);
  await approveReturn(db(), number, { by: OFFICE, waive: true });
  const work = (on: Db) => refundReturn(on, number, { by: OFFICE });
  const refunds = () => db().selectFrom("refunds").select("id").where("reference", "=", sale.reference).execute();
  return {
    works: [work, work],
    check: async () => complain("the return was refunded twice", (await refunds()).length > 1),
  };
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof Error) || !error.message.startsWith("The return was not taken")) throw error;
}

/** Two requests to the provider for the same partial refund: it would give the sum twice, since enough is left. */
async function twoAsk(): Promise<Two> {
  await db()
    .updateTable("refunds")
    .set({ nextTryAt: new Date("2100-01-01") })
    .execute(); // refunds of earlier stories
  const { reference } = await bought(3);
  await refundWished(db(), reference, { kobo: 1_000_000 });
  const asked = () => provider.refunds.length;
  const before = asked();
  const work = async (on: Db) => {
    // Makes the refund due, as a webhook does.
    await on
      .updateTable("refunds")
      .set({ nextTryAt: new Date(0) })
      .where("reference", "=", reference)
      .execute();
    return runRefunds(on, 1);
  };
  return { works: [work, work], check: async () => complain("asked for twice", asked() - before > 1) };
}

/**
 * Runs the story in every order: the first actor stops before its nth statement, the second does what it can, then both
 * continue. Ends with the first complaints.
 */
async function everywhere({ first, second }: Stages, story: () => Promise<Two>): Promise<string[]> {
  for (let steps = 1; ; steps++) {
    const { works, check } = await story();
    const [one, two] = [first.enter(works[0]), second.enter(works[1])];
    let standing = await one.step();
    for (let step = 1; step < steps && standing === "ready"; step++) standing = await one.step();
    for (let ended = 0; ended < 2; ) {
      ended = 0;
      for (const actor of [two, one]) if ((await actor.run()) === "ended") ended++;
    }
    await Promise.all([one.result(), two.result()]);
    const complaints = [...(await check()), ...(await rulesBroken())];
    if (complaints.length > 0 || standing === "ended") return complaints;
  }
}

async function whole<T>(stage: Stage, work: (on: Db) => Promise<T>): Promise<T> {
  const actor = stage.enter(work);
  await actor.run();
  return (await actor.result()) as T;
}

const complain = (what: string, holds: boolean) => (holds ? [what] : []);
const rulesBroken = async () =>
  (await checkInvariants(db())).filter(({ rule }) => rule !== "I13").map(({ rule, what }) => `${rule}: ${what}`);

async function refusedByDatabase(statement: ReturnType<typeof sql>): Promise<string[]> {
  const refused = await statement.execute(db()).then(
    () => false,
    () => true,
  );
  return refused ? [] : rulesBroken();
}

let rewrite = (statement: string) => statement;
let stages: Stages;
beforeAll(() => {
  const stage = () => newStage(url(), db(), (statement) => rewrite(statement));
  stages = { first: stage(), second: stage() };
});
afterAll(() => Promise.all([stages.first.close(), stages.second.close()]));
async function clean(): Promise<void> {
  await sql`truncate users, carts, cart_lines, cart_merges, products, product_sizes, exchange_rates, orders, reservations, payments, sales, sale_lines, refunds,
    webhook_inbox, payment_issues, outbox, offers cascade`.execute(db());
  provider.reset();
}

/** What is noticed: the story's complaints, or the error with which the shop ended. */
async function noticed(story: () => Promise<string[]>): Promise<string[]> {
  return story().catch((error) => [`an error: ${error.message}`]);
}

test.each(share(Object.entries(GUARDS)))("%s", { timeout: 120_000 }, async (_, guard) => {
  await clean();
  expect(await noticed(() => guard.story(stages))).toEqual([]);
  await clean();
  if (guard.drop) await sql.raw(guard.drop).execute(db());
  if (guard.rewrite) rewrite = guard.rewrite;
  if (guard.off) off[guard.off] = true;
  const complaints = await noticed(() => guard.story(stages));
  rewrite = (statement) => statement;
  Object.assign(off, { signature: false, verdict: false });
  await clean();
  if (guard.restore) await sql.raw(guard.restore).execute(db());
  expect(complaints.join("; ")).toContain(guard.notices);
});
