import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { register } from "#app/account/registration.server.ts";
import { env } from "#app/infra/env.server.ts";
import { getOrder, listOrders, listSold } from "#app/orders/history.server.ts";
import { hasNews } from "#app/orders/news/news.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { asked, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { stockHistory } from "../catalog/stock-history.server.ts";
import { searchCustomers } from "../customers/search.server.ts";
import { viewCustomer } from "../customers/view.server.ts";
import { planParcels } from "../orders/parcels/parcels.server.ts";
import { ordersToPrint } from "../orders/print.server.ts";
import { searchOrders } from "../orders/search.server.ts";
import { viewOrder } from "../orders/view.server.ts";
import { reviewProvider } from "../provider-review.server.ts";
import { shopStatus } from "../status.server.ts";
import { takings } from "../takings.server.ts";
import { leftByTrial } from "./left.server.ts";
import { beginLive } from "./start.server.ts";

const checkout = useCheckout();
const { db, provider, open, oneBuyer, stockOf } = checkout;
const say = (line: string, answer?: boolean) => command(db(), line.split(" "), answer);
const withKeys = (mode: "test" | "live") => {
  Object.assign(env, { RATES_URL: mode === "live" ? "https://rates.example/latest" : undefined, BACKUPS: undefined });
  env.live = mode === "live";
};

afterEach(() => withKeys("test"));

async function bought(stock = 1) {
  const { user, productId, payment } = await oneBuyer(stock);
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  return { user, productId, reference: payment.reference };
}

const numberOf = async (reference: string) => {
  const order = db().selectFrom("payments").innerJoin("orders", "orders.id", "orderId").select("number");
  return (await order.where("reference", "=", reference).executeTakeFirstOrThrow()).number;
};

describe("8 going live on the database of a trial", () => {
  let sold: { user: Shopper; productId: string; reference: string };
  let unpaid: { user: Shopper; productId: string; payment: { reference: string } };
  let returning: Awaited<ReturnType<typeof delivered>>;
  let refunding: { productId: string; reference: string };
  let number: string;

  beforeAll(async () => {
    sold = await bought(3);
    number = await numberOf(sold.reference);
    returning = await delivered(checkout);
    const back = await asked(db(), returning, { newSize: "L" });
    await say(`returns approve ${back}`);
    refunding = await bought();
    await say(`orders refund ${refunding.reference} --yes`);
    unpaid = await oneBuyer();
    await db()
      .insertInto("staff")
      .values({ email: "owner@irepo.example", role: "owner", joinedAt: new Date() })
      .execute();
    const { id } = unpaid.user;
    await db()
      .insertInto("accounts")
      .values({ userId: id, providerId: "credential", accountId: id, password: "a hash" })
      .execute();
    await db().updateTable("users").set({ email: "ada@shopper.ng" }).where("id", "=", sold.user.id).execute();
    await db().insertInto("subscriptions").values({ firstName: "Bisi", email: "bisi@example.com" }).execute();
  });

  test("the start with live keys names what is left, and refuses; so does check", async () => {
    withKeys("live");
    const said: string[] = [];
    await expect(beginLive(db(), (line) => said.push(line))).rejects.toThrow("npm run shop -- go-live");
    expect(said).toEqual([
      "The shop's database still holds data from a trial:",
      "  4 orders in test mode, 3 of them paid: no money has moved",
      "  staff at addresses for examples: owner@irepo.example",
      "  1 customer who can sign in with an address for examples or the demo's Google",
      "  3 customers at addresses for examples (go-live deletes them)",
      "  1 newsletter subscriber at addresses for examples (go-live deletes them)",
    ]);
    const { code, text } = await say("check");
    expect([code, text]).toEqual([1, expect.stringContaining("npm run shop -- go-live [I31]")]);
  });

  test("go-live asks first, and with test keys does nothing", async () => {
    expect(await say("go-live --yes")).toMatchObject({ code: 2, text: expect.stringMatching(/^PAYSTACK_SECRET_KEY/) });
    withKeys("live");
    expect(await say("go-live", false)).toMatchObject({ code: 2, text: "Nothing was done." });
    expect(await say("go-live --dry-run")).toMatchObject({ code: 0, data: { left: { orders: 4, sold: 3 } } });
    expect(await db().selectFrom("orders").select("id").where("trial", "=", true).execute()).toEqual([]);
  });

  test("go-live keeps the catalogue: stock comes back, holds, mails, refunds, staff and ways in end, with a row in the log", async () => {
    withKeys("live");
    expect(await say("go-live --yes")).toMatchObject({
      code: 0,
      data: { ended: { orders: 4, units: 3, customers: 1, invented: { customers: 3, subscribers: 1 } } },
    });
    expect(await db().selectFrom("users").select("email").execute()).toEqual([{ email: "ada@shopper.ng" }]);
    expect(await db().selectFrom("subscriptions").select("email").execute()).toEqual([]);
    expect(await stockOf(sold.productId)).toEqual({ sold: 1, reserved: 0, onHand: 3 });
    expect(await stockOf(unpaid.productId)).toEqual({ sold: 0, reserved: 0, onHand: 1 });
    const sizes = db().selectFrom("productSizes").select(["size", "reserved", "onHand"]).orderBy("size");
    expect(await sizes.where("productId", "=", returning.productId).execute()).toEqual([
      { size: "L", reserved: 0, onHand: 1 },
      { size: "M", reserved: 0, onHand: 5 },
    ]);
    expect(await db().selectFrom("outbox").select("id").where("state", "=", "queued").execute()).toEqual([]);
    expect((await checkout.refundOf(refunding.reference))?.state).toBe("void");
    for (const table of ["staff", "accounts", "sessions"] as const)
      expect(await db().selectFrom(table).select(sql`1`.as("one")).execute()).toEqual([]);
    expect(await db().selectFrom("sales").select("id").execute()).toHaveLength(3);
    expect(await say("audit list --subject shop:all")).toMatchObject({ text: expect.stringContaining("go-live") });
    const { rows: happenings } = await stockHistory(db(), { id: sold.productId });
    expect(happenings[0]).toMatchObject({ kind: "set", action: "go-live", change: 1, left: 3 });
  });

  test("nothing of it is left: the start begins, check agrees, and says so a second time", async () => {
    withKeys("live");
    Object.assign(env, { BACKUPS: "elsewhere" });
    await beginLive(db(), () => {});
    await say("rate set 1534.25");
    expect(await say("check")).toMatchObject({ code: 0, text: "Everything agrees." });
    expect(await say("go-live --yes")).toMatchObject({ code: 0, data: { ended: { orders: 0, units: 0, mails: 0 } } });
  });

  test("a test order is in no list and no sum; its number finds it, marked", async () => {
    withKeys("live");
    expect(await say("orders list")).toMatchObject({ data: { total: 0 } });
    expect(await shopStatus(db())).toMatchObject({
      toSend: { orders: 0 },
      toLookInto: { payments: 0 },
      returns: { asked: 0, toEnd: 0 },
    });
    for (const view of ["all", "to-send"] as const) expect((await searchOrders(db(), { view })).rows).toEqual([]);
    expect((await searchOrders(db(), { view: "all", text: "Ada" })).rows).toEqual([]);
    const { rows: orders } = await searchOrders(db(), { view: "all", text: number });
    expect(orders).toMatchObject([{ number, standing: { text: "Test" } }]);
    expect(await viewOrder(db(), number)).toMatchObject({ standing: { text: "Test" }, refundable: undefined });
    expect(await takings(db(), 7)).toMatchObject({ kobo: 0, cents: 0 });
    const { rows: customers } = await searchCustomers(db(), { bought: true });
    expect(customers).toEqual([]);
    expect(await viewCustomer(db(), sold.user.id)).toMatchObject({ orders: 0, kobo: 0, open: { unsent: [] } });
  });

  test("its shopper sees nothing of it", async () => {
    const { id } = sold.user;
    expect([await listOrders(db(), id), await getOrder(db(), id, sold.reference), await hasNews(db(), id)]).toEqual([
      [],
      undefined,
      false,
    ]);
    expect(await listSold(db())).toEqual([]);
  });

  test("nothing is sent, printed or given back, whoever says so", async () => {
    withKeys("live");
    const calls = provider.calls.length;
    for (const line of ["orders pack", "orders fulfil", "orders cancel", "orders refund"])
      expect(await say(`${line} ${number} --yes`)).toMatchObject({ text: expect.stringContaining("test order") });
    expect(await planParcels(db(), { text: `${number} GIG 1` })).toMatchObject([{ will: "fail" }]);
    expect(await ordersToPrint(db(), [number])).toMatchObject([{ whyNot: expect.stringContaining("test order") }]);
    await sql`update refunds set next_try_at = now()`.execute(db());
    await sql`update payments set next_check_at = now() where mode = 'test'`.execute(db());
    expect(await reconcile(db())).toBe(false);
    expect(provider.calls.slice(calls)).toEqual([]);
  });

  test("check --provider misses none of its payments", async () => {
    withKeys("live");
    provider.faulty({
      on: "GET /transaction?",
      before: true,
      body: JSON.stringify({ status: true, message: "", data: [] }),
    });
    expect(await reviewProvider(db(), 7)).toEqual({ ok: true, charges: 0, broken: [] });
    expect(provider.calls.filter((call) => call.includes("/verify/"))).toEqual([]);
  });

  test("what is sold with live keys counts; what is made with test keys after that is a test at once", async () => {
    withKeys("live");
    const { productId } = await oneBuyer();
    expect(await db().selectFrom("payments").select("mode").where("mode", "=", "live").execute()).toHaveLength(1);
    withKeys("test");
    const user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
    const { reference } = await open(user);
    provider.pay(reference);
    await settlePayment(reference);
    expect(await viewOrder(db(), await numberOf(reference))).toMatchObject({ standing: { text: "Test" } });
    expect(await takings(db(), 7)).toMatchObject({ kobo: 0 });
    withKeys("live");
    await expect(beginLive(db(), () => {})).rejects.toThrow("go-live");
    await say("go-live --yes");
    await beginLive(db(), () => {});
    expect(await stockOf(productId)).toMatchObject({ reserved: 1 });
  });
});

test("a stranger who registers at an address for examples keeps no live shop from starting", async () => {
  withKeys("live");
  await register(db(), { firstName: "A", lastName: "B", email: "stranger@example.com", password: "harmony-24" });
  await beginLive(db(), () => {});
  expect((await say("check")).text).not.toContain("[I31]");
});

test("go-live in a shop that is live leaves who came since, also at an address for examples", async () => {
  withKeys("live");
  await say("go-live --yes");
  const { customers } = (await leftByTrial(db())).invented; // with open orders
  const people = () =>
    db()
      .selectFrom("users")
      .select("email")
      .unionAll(db().selectFrom("subscriptions").select("email"))
      .orderBy("email")
      .execute();
  const emails = ["of-trial", "verified", "since"].map((name) => `${name}@example.com`);
  for (const email of emails) {
    await register(db(), { firstName: "A", lastName: "B", email, password: "harmony-24" });
    await db().insertInto("subscriptions").values({ firstName: "A", email }).execute();
  }
  for (const table of ["users", "subscriptions"] as const)
    await db()
      .updateTable(table)
      .set({ createdAt: "2020-01-01" })
      .where("email", "=", emails[0] ?? "")
      .execute();
  await db()
    .updateTable("users")
    .set({ emailVerified: true })
    .where("email", "=", emails[1] ?? "")
    .execute();
  expect((await leftByTrial(db())).invented).toEqual({ customers: customers + 2, subscribers: 1 });
  await say("go-live --yes");
  const left = (await people()).map(({ email }) => email).filter((email) => emails.includes(email));
  expect(left).toEqual(["since@example.com", "since@example.com"]);
});

test("8 payments from before modes were written down: the owner says once which keys they were made with", async () => {
  await db().deleteFrom("liveShop").execute();
  const { reference } = await bought();
  const order = { real: await numberOf(reference), trial: await numberOf((await bought()).reference) };
  await sql`update payments set mode = null where reference = ${reference}`.execute(db());
  withKeys("live");
  expect(await say("go-live --yes")).toMatchObject({ code: 2, text: expect.stringContaining("--old-payments test") });
  expect(await say("go-live --yes --old-payments live")).toMatchObject({ code: 0 });
  const standing = async (number: string) => (await viewOrder(db(), number))?.standing.text;
  expect([await standing(order.real), await standing(order.trial)]).toEqual(["To pack", "Test"]);
  await beginLive(db(), () => {});
});
