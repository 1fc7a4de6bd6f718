vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { removeFromCart, setQuantity } from "#app/cart/cart.server.ts";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { customerData } from "#app/customer-data/user-document.server.ts";
import { type Db, db as processDb, type Transaction } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { newCode } from "#app/infra/secrets/link-code.server.ts";
import * as messages from "#app/messages.ts";
import { standIn } from "#app/orders/queue/queue.server.ts";
import { TURN_LASTS, TURN_LASTS_AGAIN } from "#app/orders/time-limits.ts";
import { endQueue, listQueues, type QueueTerms, switchQueueOn } from "#app/owner/queues/queues.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { startPayerLink } from "#app/payments/start.server.ts";
import { closePayment } from "#app/payments/status.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { cookieOf } from "#tests/support/session.ts";
import {
  lagosForm,
  makeProduct,
  makeShopper,
  orderBy,
  putInCart,
  type Shopper,
  setStock,
} from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";

const { db, open, pay, provider, url, statesOf, stockOf, expire } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });
const send = shopPages(shop);
const OWNER = { name: "owner", door: "command" } as const;

/** A product with `stock` pieces of M and a queue, which is open by default. */
async function queued(stock = 5, terms: QueueTerms = { pace: 6000 }): Promise<string> {
  const productId = await makeProduct(db(), { M: stock });
  await switchQueueOn(db(), OWNER, productId, terms);
  return productId;
}
const inAnHour = () => new Date(Date.now() + 60 * MINUTE);

/** A shopper with an M in the cart. */
const wants = (productId: string) => makeShopper(db(), { productId, size: "M" });

/** Lets all stored times of a queue be so much longer ago. */
async function passTime(productId: string, ms = 2000): Promise<void> {
  const ago = sql`${`${ms} ms`}::interval`;
  await sql`update queues set opens_at = opens_at - ${ago} where product_id = ${productId}`.execute(db());
  await sql`update queue_rounds set paced_at = paced_at - ${ago}, rounded_at = rounded_at - ${ago}
    where product_id = ${productId}`.execute(db());
  await sql`update queue_places set asked_at = asked_at - ${ago}, let_in_at = let_in_at - ${ago}, used_at = used_at - ${ago}
    where product_id = ${productId}`.execute(db());
}

const placesOf = (productId: string) =>
  db().selectFrom("queuePlaces").selectAll().where("productId", "=", productId).orderBy("number").execute();

const page = async (productId: string, user?: Shopper) =>
  send(`/queue/${productId}`, user && { as: await cookieOf(user) });
const join = async (productId: string, user: Shopper) =>
  send(`/queue/${productId}`, { as: await cookieOf(user), form: {} });
const press = async (user: Shopper, form: Record<string, string> = {}) =>
  send("/checkout", { as: await cookieOf(user), form: { ...lagosForm, ...form } });

/** Joins one after the other, so that the order of arrival is known. */
async function joinAll(productId: string, users: Shopper[]): Promise<void> {
  for (const user of users) await join(productId, user);
}
const shoppers = (productId: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => wants(productId)));

describe("a queue", () => {
  test("gives an account one place for ten tabs, reloads, and Pay pressed again", async () => {
    const productId = await queued(0);
    const [first, user] = await shoppers(productId, 2);
    await joinAll(productId, [first as Shopper, user as Shopper]);
    await passTime(productId);
    await page(productId, user);
    const [before] = (await placesOf(productId)).filter(({ userId }) => userId === user?.id);
    await Promise.all(Array.from({ length: 10 }, () => join(productId, user as Shopper)));
    await Promise.all(Array.from({ length: 10 }, () => press(user as Shopper)));
    const places = await placesOf(productId);
    expect(places.filter(({ userId }) => userId === user?.id)).toEqual([before]);
    expect(places).toHaveLength(2);
  });

  test("tells number and wait at Pay, without script, and leads on when the turn has come", async () => {
    const productId = await queued(20, { pace: 1 });
    const users = await shoppers(productId, 4);
    await joinAll(productId, users.slice(0, 3));
    const last = users[3] as Shopper;
    expect(await press(last)).toMatchObject({ status: 303, to: `/queue/${productId}` });
    await passTime(productId);
    await page(productId, users[0]);
    const waiting = await page(productId, last);
    expect(waiting.text).toContain(messages.queue.number(3, "about three minutes"));
    expect(waiting.text).toMatch(/<noscript><meta http-equiv="refresh" content="30"\/><\/noscript>/i);
    expect(waiting.text).toContain('<meta name="robots" content="noindex"/>');
    expect(waiting.headers.get("cache-control")).toBe("no-store");
    for (let minute = 0; minute < 3; minute++) {
      expect(await statesOf(last)).toEqual([]);
      await passTime(productId, MINUTE);
      await page(productId, users[0]);
    }
    const turn = await page(productId, last);
    expect(turn.text).toContain("It’s your turn until");
    expect(turn.text).toContain('href="/checkout"');
    expect((await press(last, { agreedKobo: "8558400" })).to).not.toContain("/queue/");
    expect(await statesOf(last)).toEqual(["open"]);
  });

  test("lets a shopper through at once where nobody waits", async () => {
    const productId = await queued();
    expect(await pay(await wants(productId))).toMatchObject({ ok: true });
  });

  test("is not joined by looking at it, nor by a guest, nor without a verified email", async () => {
    const productId = await queued();
    expect((await page(productId)).text).toContain(`href="/login?next=/queue/${productId}"`);
    expect(await send(`/queue/${productId}`, { form: {} })).toMatchObject({ to: `/login?next=/queue/${productId}` });
    const user = await wants(productId);
    expect((await page(productId, user)).text).toContain("Join the queue");
    await db().updateTable("users").set({ emailVerified: false }).where("id", "=", user.id).execute();
    expect(await join(productId, user)).toMatchObject({ status: 403 });
    expect(await placesOf(productId)).toEqual([]);
  });

  test("that is over, or never was, leads to the product", async () => {
    const productId = await queued();
    await endQueue(db(), OWNER, productId);
    expect(await page(productId)).toMatchObject({ status: 302, to: `/singleProduct/${productId}` });
    expect(await pay(await wants(productId))).toMatchObject({ ok: true });
  });

  test("of a hidden product is shown to nobody, and has no places", async () => {
    const productId = await queued(1, { opensAt: inAnHour() });
    const user = await wants(productId);
    await db().updateTable("products").set({ hidden: true }).where("id", "=", productId).execute();
    expect(await page(productId, user)).toMatchObject({ status: 302 });
    expect(await join(productId, user)).toMatchObject({ status: 303 });
    expect(await placesOf(productId)).toEqual([]);
  });

  test("is named on the product's page, which is the same as before once it is over", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const path = `/singleProduct/${productId}`;
    const before = (await send(path)).text;
    await switchQueueOn(db(), OWNER, productId, { opensAt: inAnHour() });
    expect((await send(path)).text).toContain(`href="/queue/${productId}"`);
    await endQueue(db(), OWNER, productId);
    const bare = (text: string) => text.replaceAll(/nonce="[^"]*"/g, "");
    expect(bare((await send(path)).text)).toBe(bare(before));
  });
});

test("an order of another product takes the statements that it always took, none of them for a queue", async () => {
  await queued(5);
  const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 5 }), size: "M" });
  const sent = vi.spyOn(pg.Client.prototype, "query");
  expect(await pay(user)).toMatchObject({ ok: true });
  const texts = sent.mock.calls.map(([query]) => (typeof query === "string" ? query : String(Object(query).text)));
  sent.mockRestore();
  expect(texts).toHaveLength(7);
  expect(texts.filter((text) => /^\s*(insert into|update) queue|queue_rounds/.test(text))).toEqual([]);
});

describe("the order of turns", () => {
  test("is drawn for those who came before the opening, and by arrival for the others", async () => {
    const productId = await queued(0, { opensAt: inAnHour() });
    const early = await shoppers(productId, 30);
    await joinAll(productId, early);
    expect((await page(productId, early[0])).text).toContain("we’ll draw your place at random then");
    await sql`update queue_places set draw = ('00000000-0000-4000-8000-' || lpad((99 - n)::text, 12, '0'))::uuid
      from (select user_id, row_number() over (order by asked_at) as n from queue_places where product_id = ${productId}) a
      where a.user_id = queue_places.user_id and product_id = ${productId}`.execute(db());
    await passTime(productId, 61 * MINUTE);
    const late = await shoppers(productId, 3);
    for (const user of late) {
      await join(productId, user);
      await passTime(productId);
    }
    await page(productId, late[0]);
    const ids = (await placesOf(productId)).map(({ userId }) => userId);
    expect(ids).toEqual([...early.toReversed(), ...late].map(({ id }) => id));
  });

  test("is another draw for each queue", async () => {
    const productId = await queued(0, { opensAt: inAnHour() });
    const users = await shoppers(productId, 20);
    await joinAll(productId, users);
    await passTime(productId, 61 * MINUTE);
    await page(productId, users[0]);
    expect((await placesOf(productId)).map(({ userId }) => userId)).not.toEqual(users.map(({ id }) => id));
    expect((await placesOf(productId)).map(({ number }) => number)).toEqual(users.map((_, at) => at + 1));
  });

  test("begins as many turns as the pace says", async () => {
    const productId = await queued(20, { pace: 6, opensAt: inAnHour() });
    const users = await shoppers(productId, 10);
    await joinAll(productId, users);
    await passTime(productId, 60 * MINUTE + 1000);
    const inTurn = async () => (await placesOf(productId)).filter(({ letInAt }) => letInAt).length;
    const counts: number[] = [];
    for (let i = 0; i < 4; i++) {
      await page(productId, users[0]);
      counts.push(await inTurn());
      await passTime(productId, 10_000);
    }
    expect(counts).toEqual([1, 2, 3, 4]);
  });

  test("begins no more turns than there are pieces, and an unused one passes on", async () => {
    const productId = await queued(1);
    const [a, b, c] = (await shoppers(productId, 3)) as [Shopper, Shopper, Shopper];
    await joinAll(productId, [a, b, c]);
    await passTime(productId);
    expect((await page(productId, a)).text).toContain("It’s your turn");
    for (const [number, user] of [
      [1, b],
      [2, c],
    ] as const) {
      const { text } = await page(productId, user);
      expect(text).toContain(`You’re number ${number}<`);
      expect(text).toContain(messages.queue.reserved); // all of it is for the shopper whose turn it is
    }
    await passTime(productId, TURN_LASTS);
    expect((await page(productId, b)).text).toContain("It’s your turn");
    expect((await page(productId, a)).text).toContain(messages.queue.passed);
    expect(await pay(a)).toEqual({ ok: false, problem: "in-queue", productId });
    await passTime(productId);
    expect((await page(productId, a)).text).toContain("You’re number 2<");
    expect(await pay(b)).toMatchObject({ ok: true });
    expect((await page(productId, b)).text).toContain(messages.queue.held);
  });

  test("names a wait only to those for whom there's enough, and says to the others that there are fewer", async () => {
    const productId = await queued(2, { pace: 1 });
    const [a, b, c] = (await shoppers(productId, 3)) as [Shopper, Shopper, Shopper];
    await joinAll(productId, [a, b, c]);
    await passTime(productId);
    await page(productId, a);
    expect((await page(productId, b)).text).toContain("You’re number 1;");
    const { text } = await page(productId, c);
    expect(text).toContain(messages.queue.few);
    expect(text).toContain(messages.queue.kept);
    expect(text).not.toContain("You’re number 2;");
  });

  test("tells everybody who waits when nothing is left", async () => {
    const productId = await queued(1);
    const [a, b] = (await shoppers(productId, 2)) as [Shopper, Shopper];
    await joinAll(productId, [a, b]);
    await passTime(productId);
    await page(productId, a);
    const { reference } = await open(a);
    expect((await page(productId, b)).text).toContain(messages.queue.reserved);
    provider.pay(reference);
    expect(await settlePayment(reference, db())).toMatchObject({ outcome: "sold" });
    expect((await page(productId, b)).text).toContain(messages.queue.none);
    expect((await page(productId, a)).text).toContain(messages.queue.bought);
  });
});

describe("nobody gets around it", () => {
  test("by paying before the opening, at the checkout or by a link for somebody else", async () => {
    const productId = await queued(5, { opensAt: inAnHour() });
    const user = await wants(productId);
    const waits = { ok: false, problem: "in-queue", productId };
    expect(await pay(user)).toEqual(waits);
    expect(await pay(user, { agreesToNoHold: true })).toEqual(waits);
    const link = { ...orderBy(user), currency: "NGN" as const, payerLink: { code: newCode(), line: "" } };
    expect(await startPayerLink(db(), link)).toEqual(waits);
    expect(await press(user, { agreedKobo: "8558400" })).toMatchObject({ status: 303, to: `/queue/${productId}` });
    expect([await statesOf(user), await stockOf(productId)]).toMatchObject([[], { reserved: 0 }]);
  });

  test("with another product in the same cart, or a turn for another one", async () => {
    const [other, productId] = [await queued(5), await queued(5, { opensAt: inAnHour() })];
    const user = await wants(other);
    expect(await pay(user)).toMatchObject({ ok: true });
    await putInCart(db(), user.id, productId, "M");
    expect(await pay(user)).toEqual({ ok: false, problem: "in-queue", productId });
  });

  test("with an order of one item, made before the queue or in a turn, that is made larger", async () => {
    const productId = await makeProduct(db(), { M: 5, L: 5 });
    const user = await wants(productId);
    await open(user);
    await switchQueueOn(db(), OWNER, productId, { opensAt: inAnHour() });
    const more = (quantity: number, size = "M") => setQuantity(db(), user.id, { id: productId, size, quantity });
    await more(3);
    expect(await pay(user)).toEqual({ ok: false, problem: "in-queue", productId });
    await more(1);
    expect(await pay(user)).toMatchObject({ ok: true });
    await removeFromCart(db(), user.id, { id: productId, size: "M" });
    await putInCart(db(), user.id, productId, "L");
    expect(await pay(user)).toMatchObject({ ok: true }); // another size, as many
  });

  test("but a sold-out product that isn't bought keeps nobody from buying the rest of the cart", async () => {
    const [other, productId] = [await makeProduct(db(), { M: 5 }, 5000), await queued(0)];
    const user = await wants(other);
    await putInCart(db(), user.id, productId, "M");
    expect(await pay(user, { shownCents: 5000 })).toMatchObject({ ok: true });
  });

  test("with one turn for two purchases", async () => {
    const productId = await queued(5);
    const user = await wants(productId);
    const { reference } = await open(user);
    provider.pay(reference);
    await settlePayment(reference, db());
    await sql`update queue_rounds set rounded_at = now() + interval '1 minute' where product_id = ${productId}`.execute(
      db(),
    );
    await putInCart(db(), user.id, productId, "M");
    expect(await pay(user)).toEqual({ ok: false, problem: "in-queue", productId });
  });

  test("with the payment of an order from before the queue, which comes late", async () => {
    const productId = await makeProduct(db(), { M: 5 });
    const user = await wants(productId);
    const { reference, orderId } = await open(user);
    await expire(orderId);
    await settlePayment(reference, db());
    await switchQueueOn(db(), OWNER, productId, { opensAt: inAnHour() });
    await join(productId, user);
    provider.pay(reference);
    expect(await settlePayment(reference, db())).toMatchObject({ outcome: "refunding" });
  });

  test("but a late payment is a sale where the shopper has had a turn", async () => {
    const productId = await queued(5);
    const { reference, orderId } = await open(await wants(productId));
    await expire(orderId);
    await settlePayment(reference, db());
    await passTime(productId, TURN_LASTS);
    provider.pay(reference);
    expect(await settlePayment(reference, db())).toMatchObject({ outcome: "sold" });
  });

  test("but a late payment of an order made in a turn is a sale, also after joining again", async () => {
    const productId = await queued(5);
    const user = await wants(productId);
    const { reference, orderId } = await open(user);
    await expire(orderId);
    await settlePayment(reference, db());
    await passTime(productId, TURN_LASTS);
    await sql`update queue_rounds set rounded_at = now() + interval '1 minute' where product_id = ${productId}`.execute(
      db(),
    );
    await join(productId, user);
    expect(await placesOf(productId)).toMatchObject([{ letInAt: null }]);
    provider.pay(reference);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
  });

  test("but an order that holds its pieces is paid and corrected, after the turn, too", async () => {
    const productId = await queued(1);
    const user = await wants(productId);
    const first = await open(user);
    await passTime(productId, TURN_LASTS);
    expect(await open(user)).toEqual(first);
    expect(await pay(user, { form: { ...lagosForm, address: "2 Broad Street" } })).toMatchObject({ ok: true });
  });
});

describe("a turn whose order ends unpaid", () => {
  const isAway = () => provider.faulty({ on: "initialize", times: 2, before: true, drop: true });
  const refuses = (message: string) =>
    provider.faulty({ on: "initialize", before: true, status: 400, body: JSON.stringify({ status: false, message }) });
  type End = (user: Shopper, productId: string) => Promise<unknown>;
  const failing =
    (problem: string, fail: () => void): End =>
    async (user) => {
      fail();
      expect(await pay(user, { form: { ...lagosForm, address: "2 Broad Street" } })).toEqual({ ok: false, problem });
      provider.faultless();
    };
  const away = failing("payment-unavailable", isAway);
  const emailRefused = failing("payment-email-refused", () => refuses("Invalid Email Address Passed"));
  const refused = failing("payment-refused", () => refuses("Invalid Amount Sent"));
  const closed: End = async (user) => closePayment(db(), user.id, (await open(user)).reference);
  const replaced =
    (end: End): End =>
    async (user, productId) => {
      await open(user);
      await end(user, productId);
    };
  const withoutIt: End = async (user, productId) => {
    await open(user);
    await removeFromCart(db(), user.id, { id: productId, size: "M" });
    await putInCart(db(), user.id, await makeProduct(db(), { M: 1 }), "M");
    await open(user);
    await putInCart(db(), user.id, productId, "M");
  };

  /** A queue of one piece: the shopper whose turn it is, and the one who is next. */
  async function twoForOne() {
    const productId = await queued(1);
    const [user, next] = (await shoppers(productId, 2)) as [Shopper, Shopper];
    await joinAll(productId, [user, next]);
    await passTime(productId);
    await page(productId, user);
    return { productId, user, next };
  }
  const waitsIn = (productId: string) => ({ ok: false, problem: "in-queue", productId });

  test.each<[string, End]>([
    ["the provider is away", away],
    ["the provider refuses the email address", emailRefused],
    ["the provider refuses the payment", refused],
    ["the provider is away when the order is to be replaced", replaced(away)],
    ["the provider refuses the order that was to replace another", replaced(refused)],
    ["the shopper closes the payment", closed],
    ["the shopper orders something else", withoutIt],
  ])("lasts on, and the piece is nobody else's meanwhile: %s", async (_, end) => {
    const { productId, user, next } = await twoForOne();
    await end(user, productId);
    await passTime(productId);
    const { text } = await page(productId, next);
    expect(text).toContain("You’re number 1<");
    expect(text).toContain(messages.queue.reserved);
    expect((await page(productId, user)).text).toContain("It’s your turn");
    const { reference } = await open(user);
    provider.pay(reference);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    await putInCart(db(), user.id, productId, "M");
    expect(await pay(user)).toEqual(waitsIn(productId)); // one purchase, however often it was tried
    expect(await placesOf(productId)).toHaveLength(2);
  });

  test.each<[string, End, string]>([
    ["the provider is away when the order is to be replaced", away, "turn"],
    ["the provider refuses the order that was to replace another", refused, "over"],
    ["the reservation ends", async (user) => expire(await orderIdOf(user)), "over"],
  ])("and that is over by then: %s", async (_, end, left) => {
    const { productId, user, next } = await twoForOne();
    await open(user);
    await passTime(productId, TURN_LASTS);
    await end(user, productId);
    for (const reference of await referencesOf(user)) await settlePayment(reference);
    await page(productId, next);
    const [text, nexts] = [(await page(productId, user)).text, (await page(productId, next)).text];
    if (left === "over") {
      expect(text).toContain(messages.queue.passed);
      expect(nexts).toContain("It’s your turn");
      expect(await pay(user)).toEqual(waitsIn(productId));
      expect(await pay(next)).toMatchObject({ ok: true });
    } else {
      expect(text).toContain("It’s your turn");
      expect(nexts).toContain(messages.queue.reserved);
      await passTime(productId, TURN_LASTS_AGAIN);
      expect((await page(productId, next)).text).toContain("It’s your turn");
      expect(await pay(user)).toEqual(waitsIn(productId));
    }
  });

  test("is used again by a payment that comes late in it", async () => {
    const { productId, user, next } = await twoForOne();
    const { reference } = await open(user);
    await closePayment(db(), user.id, reference);
    await sql`update product_sizes set supplied = 2 where product_id = ${productId}`.execute(db());
    provider.pay(reference);
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    await passTime(productId);
    expect((await page(productId, next)).text).toContain("It’s your turn");
    await putInCart(db(), user.id, productId, "M");
    expect(await pay(user)).toEqual(waitsIn(productId));
  });

  const orderIdOf = async ({ id }: Shopper) => {
    const { id: orderId } = await db()
      .selectFrom("orders")
      .select("id")
      .where("userId", "=", id)
      .executeTakeFirstOrThrow();
    return orderId;
  };
  const referencesOf = async (user: Shopper) => {
    const payments = db().selectFrom("payments").innerJoin("orders", "orders.id", "orderId").select("reference");
    return (await payments.where("userId", "=", user.id).execute()).map(({ reference }) => reference);
  };
});

describe("a queue that is ended and switched on again", () => {
  async function again(productId: string): Promise<void> {
    await endQueue(db(), OWNER, productId);
    await switchQueueOn(db(), OWNER, productId, { opensAt: inAnHour() });
  }
  async function lapsed(user: Shopper): Promise<string> {
    const { reference, orderId } = await open(user);
    await expire(orderId);
    await settlePayment(reference);
    return reference;
  }

  test("leaves a late payment for an order of the first queue a sale, while there's stock", async () => {
    const productId = await queued(3);
    const [first, second, third] = await shoppers(productId, 3);
    const references = [];
    for (const user of [first, second, third]) {
      references.push(await lapsed(user as Shopper));
      await passTime(productId);
    }
    await again(productId);
    await again(productId);
    await setStock(db(), productId, "M", 2);
    const outcomes = [];
    for (const reference of references) {
      provider.pay(reference);
      outcomes.push((await settlePayment(reference)).outcome);
    }
    expect(outcomes).toEqual(["sold", "sold", "refunding"]);
  });

  test("gives one back for an order from before the first queue, or from between the two", async () => {
    const productId = await makeProduct(db(), { M: 5 });
    const before = await lapsed(await wants(productId));
    await switchQueueOn(db(), OWNER, productId, {});
    await endQueue(db(), OWNER, productId);
    const between = await lapsed(await wants(productId));
    await switchQueueOn(db(), OWNER, productId, {});
    for (const reference of [before, between]) {
      provider.pay(reference);
      expect(await settlePayment(reference)).toMatchObject({ outcome: "refunding" });
    }
  });
});

describe("at the same moment", () => {
  test("ten visitors begin one round, by two pools of connections: one turn for each that is due, each with a number of its own", async () => {
    const other = processDb("checkout"); // batches of its own, as another process has
    const productId = await queued(20, { pace: 6, opensAt: inAnHour() });
    const users = await shoppers(productId, 10);
    await joinAll(productId, users);
    await passTime(productId, 60 * MINUTE + 1000);
    for (let round = 1; round <= 4; round++) {
      await Promise.all(users.map(({ id }, at) => standIn(at % 2 ? other : db(), productId, id)));
      const places = await placesOf(productId);
      expect(places.filter(({ letInAt }) => letInAt).map(({ number }) => number)).toEqual(numbersTo(round));
      expect(places.map(({ number }) => number)).toEqual(numbersTo(10));
      await passTime(productId, 10_000);
    }
  });

  test("taking a place and ending the queue leave no place behind, and everybody can pay", async () => {
    for (let round = 0; round < 5; round++) {
      const productId = await queued(10, { opensAt: inAnHour() });
      const users = await shoppers(productId, 8);
      const answers = await Promise.all([
        ...users.slice(0, 4).map((user) => join(productId, user)),
        endQueue(db(), OWNER, productId),
        ...users.slice(4).map((user) => press(user, { agreedKobo: "8558400" })),
      ]);
      for (const answer of answers) if (typeof answer === "object") expect(answer.status).toBe(303);
      expect(await placesOf(productId)).toEqual([]);
      for (const user of users) expect(await pay(user)).toMatchObject({ ok: true });
    }
  });

  test.each(["the end", "the place"])("%s comes first, and the other waits for it", async (first) => {
    const productId = await queued(1, { opensAt: inAnHour() });
    const user = await wants(productId);
    const end = (on: Db | Transaction) => on.deleteFrom("queues").where("productId", "=", productId).execute();
    const place = (on: Db | Transaction) =>
      on.insertInto("queuePlaces").values({ productId, userId: user.id }).execute();
    const trx = await db().startTransaction().execute();
    await (first === "the end" ? end(trx) : place(trx));
    const other = first === "the end" ? join(productId, user) : endQueue(db(), OWNER, productId);
    await expect.poll(() => countBlocked(db())).toBe(1);
    await trx.commit().execute();
    expect(await other).toEqual(first === "the end" ? expect.objectContaining({ status: 303 }) : true);
    expect(await placesOf(productId)).toEqual([]);
    expect(await listQueues(db(), productId)).toEqual([]);
    expect(await pay(user)).toMatchObject({ ok: true });
  });

  const numbersTo = (most: number) => Array.from({ length: most }, (_, at) => at + 1);
});

test("a late payment for an order from a turn, whose account is deleted meanwhile, is a sale, and takes no place", async () => {
  const productId = await queued(5);
  const user = await wants(productId);
  const { reference, orderId } = await open(user);
  await expire(orderId);
  await settlePayment(reference);
  expect(await deleteCustomer(db(), user.id)).toMatchObject({ ok: false, why: "money-under-way" });
  await db().updateTable("payments").set({ nextCheckAt: null }).where("reference", "=", reference).execute();
  expect(await deleteCustomer(db(), user.id)).toMatchObject({ ok: true });
  expect(await placesOf(productId)).toEqual([]);
  provider.pay(reference);
  expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
});

describe("the owner", () => {
  test("moves a queue until it is open, and changes its pace at any time", async () => {
    const productId = await queued(1, { opensAt: inAnHour() });
    const user = await wants(productId);
    await join(productId, user);
    const opensAt = new Date(Date.now() + 30 * MINUTE);
    await switchQueueOn(db(), OWNER, productId, { opensAt, pace: 10 });
    expect(await listQueues(db(), productId)).toMatchObject([{ opensAt, pace: 10, isOpen: false, waiting: 1 }]);
    await passTime(productId, 31 * MINUTE);
    await expect(switchQueueOn(db(), OWNER, productId, { opensAt: inAnHour() })).rejects.toThrow("The queue is open");
    await switchQueueOn(db(), OWNER, productId, { pace: 20 });
    await page(productId, user);
    expect(await listQueues(db(), productId)).toMatchObject([{ pace: 20, isOpen: true, waiting: 0, inTurn: 1 }]);
  });

  test("can't open a queue in the past", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const opensAt = new Date(Date.now() - MINUTE);
    await expect(switchQueueOn(db(), OWNER, productId, { opensAt })).rejects.toThrow("This time is over");
    expect(await listQueues(db(), productId)).toEqual([]);
  });

  test.each([0, -1, 1.5, 6001])("cannot set a pace of %d", async (pace) => {
    const productId = await makeProduct(db(), { M: 1 });
    await expect(switchQueueOn(db(), OWNER, productId, { pace })).rejects.toThrow("whole number");
    expect(await listQueues(db(), productId)).toEqual([]);
  });
});

test("a place is in the account's data and goes with the account", async () => {
  const productId = await queued(0);
  const user = await wants(productId);
  await join(productId, user);
  expect(await customerData(db(), user.id, "https://shop.example")).toMatchObject({
    queues: [{ productId, number: 1, letInAt: null }],
  });
  expect(await deleteCustomer(db(), user.id)).toMatchObject({ ok: true });
  expect(await placesOf(productId)).toEqual([]);
});
