import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { roundedDown } from "#app/by-hand/rounding.ts";
import { addToCart, mergeGuestCart } from "#app/cart/cart.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { changeOwnAddress } from "#app/orders/address/own.server.ts";
import { changeOwnSize } from "#app/orders/size-change/own.server.ts";
import type { SizeChange } from "#app/orders/size-change/plan.ts";
import { changeStock } from "#app/owner/catalog/stock.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { markPacked, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { takeByHand } from "#app/payments/by-hand/take.server.ts";
import { payByLink } from "#app/payments/links/pay.server.ts";
import { reconcileDue } from "#app/payments/reconcile.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { cancelOwnOrder } from "#app/payments/refunds/own-cancel.server.ts";
import { refundSale } from "#app/payments/refunds/refund-sale.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { closePayment } from "#app/payments/status.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { share } from "#tests/support/share.ts";
import { guestPiece, lagosForm, makeProduct, makeShopper, orderBy, type Shopper } from "#tests/support/shop.ts";
import { byHandOf } from "#tests/support/staff-order.ts";
import { type Actor, newStage } from "./stepping-db.ts";

// Two actors at a time: the first stops before its 1st, 2nd, 3rd ... statement, the second works until it ends or has
// to wait, then the first continues. After each such order the books must agree, and no actor may fail.

const { db, url, provider, open, salesOf, stockOf } = useCheckout({ max: 30 });

type Story = {
  productId: string;
  buyer: Shopper;
  rival: Shopper;
  /**
   * `payment`: for the last piece, with the story's result. `older`: begun before it, closed unpaid, and paid
   * nevertheless.
   */
  payment: string;
  orderId: string;
  older: string;
};

const ACTORS: Record<string, (story: Story, on: Db) => Promise<unknown>> = {
  "the payment is settled": ({ payment }, on) => settlePayment(payment, on),
  "the older payment is settled": ({ older }, on) => settlePayment(older, on),
  "the reservation runs out": async ({ payment, orderId }, on) => {
    await on
      .updateTable("orders")
      .set({ expiresAt: new Date(0) })
      .where("id", "=", orderId)
      .execute();
    await on
      .updateTable("payments")
      .set({ nextCheckAt: new Date(0) })
      .where("reference", "=", payment)
      .execute();
    await reconcileDue(on, 1);
  },
  "the window is closed": ({ buyer, payment }, on) => closePayment(on, buyer.id, payment),
  "Pay is pressed for another address": ({ buyer }, on) => startPayment(on, orderBy(buyer, "2 Marina")),
  "a rival presses Pay": ({ rival }, on) => startPayment(on, orderBy(rival)),
  "the cart is added to": ({ buyer, productId }, on) =>
    addToCart(on, buyer.id, { id: productId, size: "M", quantity: 1 }),
  "a guest cart is merged": ({ buyer, productId }, on) =>
    mergeGuestCart(on, buyer.id, "guest", [guestPiece(productId)]),
  "the owner gives the money back": ({ payment }, on) => refundSale(on, payment, "returned"),
  "the owner counts the shelf": ({ productId }, on) =>
    changeStock(on, { by: OWNER, action: "stock set", id: productId, size: "M", target: () => 1 }),
  "the price changes": ({ productId }, on) =>
    on.updateTable("products").set({ priceCents: 5999 }).where("id", "=", productId).execute(),
};

type PaymentResult = "success" | "failed";

async function newStory(verdict: PaymentResult): Promise<Story> {
  const productId = await makeProduct(db(), { M: 1 });
  const [buyer, rival] = [
    await makeShopper(db(), { productId, size: "M" }),
    await makeShopper(db(), { productId, size: "M" }),
  ];
  const older = await open(buyer);
  await closePayment(db(), buyer.id, older.reference);
  provider.pay(older.reference);
  const { reference: payment, orderId } = await open(buyer);
  provider.pay(payment, { status: verdict });
  return { productId, buyer, rival, payment, orderId, older: older.reference };
}

/**
 * Lets `first` run `steps` statements, then `second` as many as it can, then both the rest. False if `first` has fewer
 * statements.
 */
async function interleave(first: Actor, second: Actor, steps: number): Promise<boolean> {
  let standing: string = "ready";
  for (let step = 0; step < steps && standing === "ready"; step++) standing = await first.step();
  if (standing === "ended") {
    await second.run();
    return false;
  }
  for (let ended = 0; ended < 2; ) {
    ended = 0;
    for (const actor of [second, first]) if ((await actor.run()) === "ended") ended++;
  }
  return true;
}

async function checkStory(story: Story, verdict: string): Promise<void> {
  for (const reference of [story.payment, story.older]) await settlePayment(reference, db());
  const { onHand, reserved, sold } = await stockOf(story.productId);
  const sales = [...(await salesOf(story.buyer)), ...(await salesOf(story.rival))];
  expect([onHand + sold >= 1, reserved <= onHand, sales.length <= sold]).toEqual([true, true, true]);
  for (const reference of verdict === "success" ? [story.payment, story.older] : [story.older])
    expect(await endOf(reference), "what the money ended in").toMatch(/^(sale|refund|sale and refund)$/);
}

async function endOf(reference: string): Promise<string> {
  const [sale, refund] = await Promise.all([
    db().selectFrom("sales").select("status").where("reference", "=", reference).executeTakeFirst(),
    db().selectFrom("refunds").select("state").where("reference", "=", reference).executeTakeFirst(),
  ]);
  if (sale && refund) return sale.status === "completed" ? "both kept and refunded" : "sale and refund";
  return sale ? "sale" : refund ? "refund" : "nothing";
}

const names = Object.keys(ACTORS);
/**
 * The actors that move money or stock: each of these stops at every statement for each other one of these. With
 * INTERLEAVINGS=all, each actor does so for every actor.
 */
const MOVERS = [
  "the payment is settled",
  "the reservation runs out",
  "the window is closed",
  "Pay is pressed for another address",
  "a rival presses Pay",
  "the owner gives the money back",
];
const all = process.env.INTERLEAVINGS === "all";
/** An unpaid order has less to lose: only actors that end or take a reservation matter. */
const CASES = share([
  ...(all ? names : MOVERS).map((name) => ["success", name] as const),
  ...(all ? names : MOVERS.slice(1, 3)).map((name) => ["failed", name] as const),
]);

type Stage = ReturnType<typeof newStage>;
let stages: Stage[] = [];
beforeAll(() => {
  stages = [newStage(url(), db()), newStage(url(), db())];
});
afterAll(() => Promise.all(stages.map((stage) => stage.close())));

test.each(CASES)(
  "the provider says %s: while %s, at every statement, something else happens",
  {
    timeout: all ? 24 * 3_600_000 : 600_000,
  },
  async (verdict, firstName) => {
    for (const secondName of all ? names : MOVERS) await everyOrder(verdict, firstName, secondName);
    const broken = await checkInvariants(db(), provider.ledger());
    expect(broken.filter(({ rule }) => rule !== "I13")).toEqual([]);
  },
);

test.each([
  ["cancelled", "sent off", cancelOrder, markSent],
  ["sent off", "cancelled", markSent, cancelOrder],
])("while a sale is %s, at every statement, it is %s: one of them is done", async (...[, , firstDoes, secondDoes]) => {
  for (let steps = 0, more = true; more; steps++) {
    const productId = await makeProduct(db(), { M: 1 });
    const buyer = await makeShopper(db(), { productId, size: "M" });
    const { reference } = await open(buyer);
    provider.pay(reference);
    await settlePayment(reference, db());
    const [first, second] = [firstDoes, secondDoes].map((does, index) =>
      (stages[index] as Stage).enter((on) => does(on, reference)),
    ) as [Actor, Actor];
    more = await interleave(first, second, steps);
    const said = (await Promise.all([first.result(), second.result()])) as Done[];
    expect(
      said.filter(({ ok }) => ok),
      `after ${steps} statements`,
    ).toHaveLength(1);
    const [sale] = await salesOf(buyer);
    const isSent = sale?.fulfilledAt != null;
    expect([isSent, sale?.status, (await stockOf(productId)).onHand]).toEqual(
      isSent ? [true, "completed", 0] : [false, "refunding", 1],
    );
  }
});

test("while a shopper cancels, at every statement, it is packed: one of them is done", async () => {
  for (let steps = 0, more = true; more; steps++) {
    const productId = await makeProduct(db(), { M: 1 });
    const buyer = await makeShopper(db(), { productId, size: "M" });
    const { reference } = await open(buyer);
    provider.pay(reference);
    await settlePayment(reference, db());
    const [first, second] = [
      (on: Db) => cancelOwnOrder(on, buyer.id, reference),
      (on: Db) => markPacked(on, reference),
    ].map((does, index) => (stages[index] as Stage).enter(does)) as [Actor, Actor];
    more = await interleave(first, second, steps);
    const said = (await Promise.all([first.result(), second.result()])) as { ok: boolean }[];
    const isPacked = said[1]?.ok;
    expect([said[0]?.ok, isPacked], `after ${steps} statements`).toEqual([!isPacked, isPacked]);
    const [sale] = await salesOf(buyer);
    expect([sale?.packedAt != null, sale?.status, (await stockOf(productId)).onHand]).toEqual(
      isPacked ? [true, "completed", 0] : [false, "refunding", 1],
    );
  }
});

test("while a shopper changes the address, at every statement, it is packed: with the saved address", async () => {
  for (let steps = 0, more = true; more; steps++) {
    const productId = await makeProduct(db(), { M: 1 });
    const buyer = await makeShopper(db(), { productId, size: "M" });
    const { reference } = await open(buyer);
    provider.pay(reference);
    await settlePayment(reference, db());
    const moved = { ...lagosForm, address: "7 Allen Avenue" };
    const [first, second] = [
      (on: Db) => changeOwnAddress(on, buyer.id, reference, moved),
      (on: Db) => markPacked(on, reference),
    ].map((does, index) => (stages[index] as Stage).enter(does)) as [Actor, Actor];
    more = await interleave(first, second, steps);
    const said = (await Promise.all([first.result(), second.result()])) as { ok: boolean }[];
    expect(said[1]?.ok, `after ${steps} statements`).toBe(true);
    const [sale] = await salesOf(buyer);
    expect(sale?.shipping.address).toBe(said[0]?.ok ? moved.address : lagosForm.address);
  }
});

test("while a shopper changes a size, at every statement, it is packed, or another one takes the last piece", async () => {
  const rivals = {
    packed: (on: Db, { reference }: OwnSize) => markPacked(on, reference),
    changed: (on: Db, { rival, change }: OwnSize) => changeOwnSize(on, rival.user.id, rival.reference, change),
  };
  for (const [name, does] of Object.entries(rivals))
    for (let steps = 0, more = true; more; steps++) {
      const productId = await makeProduct(db(), { M: 2, L: 1 });
      const [one, rival] = [await soldM(productId), await soldM(productId)];
      const change = { productId, size: "M", quantity: 1, newSize: "L" };
      const [first, second] = [
        (on: Db) => changeOwnSize(on, one.user.id, one.reference, change),
        (on: Db) => does(on, { ...one, rival, change }),
      ].map((work, index) => (stages[index] as Stage).enter(work)) as [Actor, Actor];
      more = await interleave(first, second, steps);
      const [own, other] = (await Promise.all([first.result(), second.result()])) as { ok: boolean }[];
      const at = `${name} after ${steps} statements`;
      const changed = await db().selectFrom("productSizes").select("sold").where("productId", "=", productId).execute();
      expect(
        changed.reduce((sum, { sold }) => sum + sold, 0),
        at,
      ).toBe(2);
      if (name === "packed") expect(other?.ok, at).toBe(true);
      else expect([own?.ok, other?.ok].filter(Boolean), at).toHaveLength(1);
    }
  expect((await checkInvariants(db(), provider.ledger())).filter(({ rule }) => rule !== "I13")).toEqual([]);
});

type OwnSize = Awaited<ReturnType<typeof soldM>> & { rival: Awaited<ReturnType<typeof soldM>>; change: SizeChange };

/** A shopper who has paid for one M of this product. */
async function soldM(productId: string) {
  const user = await makeShopper(db(), { productId, size: "M" });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference, db());
  return { user, reference };
}

/** A buyer who has paid at the checkout and, with `isPaid`, by a link, and neither payment is settled yet. */
async function newLinkStory(isPaid = true) {
  const productId = await makeProduct(db(), { M: 12 });
  const buyer = await makeShopper(db(), { productId, size: "M" });
  const { reference: own } = await open(buyer);
  provider.pay(own);
  const wish = {
    email: buyer.email,
    units: [{ productId, size: "M", quantity: 1 }],
    heldFor: DAY,
    address: { ...lagosForm },
  };
  const { reference } = await putTogether(db(), OWNER, wish);
  const { orderId } = await db()
    .selectFrom("payments")
    .select("orderId")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const opened = await payByLink(db(), orderId);
  if (!opened.ok) throw new Error(opened.problem);
  if (isPaid) provider.pay(opened.reference);
  return { productId, buyer, own, wish, orderId, link: opened.reference, kobo: opened.kobo };
}
type LinkStory = Awaited<ReturnType<typeof newLinkStory>>;

const BY_LINK: Record<string, (story: LinkStory, on: Db) => Promise<unknown>> = {
  "its payment is settled": ({ link }, on) => settlePayment(link, on),
  "its time runs out": ({ link, orderId }, on) =>
    ACTORS["the reservation runs out"]?.({ payment: link, orderId } as Story, on) ?? Promise.resolve(),
  "another one is put together": ({ wish }, on) => putTogether(on, OWNER, wish),
};
const BESIDE: Record<string, (story: LinkStory, on: Db) => Promise<unknown>> = {
  "the checkout's payment is settled": ({ own }, on) => settlePayment(own, on),
  "Pay is pressed at the checkout": ({ buyer }, on) => startPayment(on, orderBy(buyer, "2 Marina")),
  "Pay is pressed by the link": ({ orderId }, on) => payByLink(on, orderId),
};

test.each(Object.keys(BY_LINK))(
  "an order of staff: while %s, at every statement, something else happens, and both payments are sales",
  { timeout: 300_000 },
  async (firstName) => {
    for (const secondName of Object.keys(BESIDE)) {
      for (let steps = 0, more = true; more; steps++) {
        const story = await newLinkStory();
        const [first, second] = [BY_LINK[firstName], BESIDE[secondName]].map((does, index) =>
          (stages[index] as Stage).enter(async (on) => does?.(story, on)),
        ) as [Actor, Actor];
        more = await interleave(first, second, steps);
        const told = `${firstName}, ${steps} statements, then ${secondName}`;
        await Promise.all([first.result(), second.result()]).catch((error) => {
          throw new Error(`${told}: ${error}`, { cause: error });
        });
        for (const reference of [story.own, story.link]) {
          await settlePayment(reference, db());
          expect(await endOf(reference), told).toBe("sale");
        }
        expect(await stockOf(story.productId), told).toMatchObject({ sold: 2 });
      }
    }
  },
);

const BY_HAND: Record<string, (story: LinkStory, on: Db) => Promise<unknown>> = {
  "it is paid by hand": ({ link, kobo }, on) =>
    takeByHand(on, link, { means: "cash", kobo: roundedDown(kobo), by: "bisi" }),
  "its customer pays by the link": async ({ link }, on) => {
    await sql`select`.execute(on); // the customer pays when this actor's turn comes
    provider.pay(link);
    return settlePayment(link, on);
  },
  "its time runs out": (story, on) => BY_LINK["its time runs out"]?.(story, on) ?? Promise.resolve(),
};

test.each([
  ["it is paid by hand", "its customer pays by the link"],
  ["its customer pays by the link", "it is paid by hand"],
  ["it is paid by hand", "its time runs out"],
  ["its time runs out", "it is paid by hand"],
])(
  "an order of staff: while %s, at every statement, %s: at most one sale, and all other money goes back",
  { timeout: 300_000 },
  async (firstName, secondName) => {
    for (let steps = 0, more = true; more; steps++) {
      const story = await newLinkStory(false);
      const [first, second] = [firstName, secondName].map((name, index) =>
        (stages[index] as Stage).enter(async (on) => BY_HAND[name]?.(story, on)),
      ) as [Actor, Actor];
      more = await interleave(first, second, steps);
      const told = `${firstName}, ${steps} statements, then ${secondName}`;
      await Promise.all([first.result(), second.result()]).catch((error) => {
        throw new Error(`${told}: ${error}`, { cause: error });
      });
      const byHand = await byHandOf(db(), story.link);
      const isByLink = [firstName, secondName].includes("its customer pays by the link");
      const paid = [...byHand, ...(isByLink ? [story.link] : [])];
      for (const reference of [story.own, story.link, ...byHand]) await settlePayment(reference, db());
      const ends = await Promise.all(paid.map(endOf));
      expect(ends.filter((end) => end !== "refund").length, told).toBeLessThanOrEqual(1);
      for (const end of ends) expect(end, told).toMatch(/^(sale|refund)$/);
      if (isByLink) expect(ends, told).toContain("sale");
      expect(await endOf(story.own), told).toBe("sale");
    }
    const broken = await checkInvariants(db(), provider.ledger());
    expect(broken.filter(({ rule }) => rule !== "I13")).toEqual([]);
  },
);

async function everyOrder(verdict: PaymentResult, firstName: string, secondName: string): Promise<void> {
  for (let steps = 0, more = true; more; steps++) {
    const story = await newStory(verdict);
    const enter = (stage: Stage, name: string) => stage.enter(async (on) => ACTORS[name]?.(story, on));
    const [first, second] = [enter(stages[0] as Stage, firstName), enter(stages[1] as Stage, secondName)];
    more = await interleave(first, second, steps);
    const told = `${firstName}, ${steps} statements, then ${secondName}`;
    await Promise.all([first.result(), second.result()]).catch((error) => {
      throw new Error(`${told}: ${error}`, { cause: error });
    });
    await checkStory(story, verdict).catch((error) => {
      throw new Error(`${told}: ${error}`, { cause: error });
    });
  }
}
