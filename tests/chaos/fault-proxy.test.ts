import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createDb, createPool, retryingTransaction } from "#app/infra/database/db.server.ts";
import { openListener, publish, subscribe } from "#app/infra/database/listener.server.ts";
import { closeQueue, enqueue, openQueue, workOn } from "#app/infra/database/queue.server.ts";
import { DatabaseWatch } from "#app/infra/database/watch.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

const shop = useCheckout();
let proxy: FaultProxy;
const through = (url: string) => url.replace(/:\d+\//, `:${proxy.port}/`);

beforeEach(async () => {
  proxy = await startFaultProxy(Number(new URL(inject("postgresUrl")).port));
});
afterEach(() => proxy.close());

test("F14 COMMIT is carried out and its answer lost: the caller sees an error, the order is there, once", async () => {
  const { user, payment } = await shop.oneBuyer();
  shop.provider.pay(payment.reference);
  const db = createDb(createPool({ url: through(shop.url()), max: 2, name: "test proxy" }));
  proxy.toxics.lostCommits = 100;
  await expect(settlePayment(payment.reference, db)).rejects.toThrow();
  expect(proxy.counts.lostCommits).toBe(1);
  expect(await shop.salesOf(user)).toHaveLength(1);
  proxy.toxics.lostCommits = 0;
  expect(await settlePayment(payment.reference, db)).toMatchObject({ outcome: "sold" });
  expect(await shop.salesOf(user)).toHaveLength(1);
  await db.destroy();
});

test("F16 a database that goes away for a while: an error now, and right again afterwards, without a new process", async () => {
  const { payment } = await shop.oneBuyer();
  shop.provider.pay(payment.reference);
  const db = createDb(createPool({ url: through(shop.url()), max: 2, name: "test proxy" }));
  expect(await db.selectFrom("payments").select("reference").limit(1).execute()).toHaveLength(1);
  proxy.toxics.down = true;
  proxy.cut(9, Math.random);
  await expect(settlePayment(payment.reference, db)).rejects.toThrow();
  proxy.toxics.down = false;
  await expect
    .poll(() => settlePayment(payment.reference, db).catch(() => undefined))
    .toMatchObject({ outcome: "sold" });
  await db.destroy();
});

test("F17 every connection taken: whoever comes is refused within 2 seconds or so, not kept waiting", async () => {
  const db = createDb(createPool({ url: shop.url(), max: 1, name: "test pool" }));
  const begun = performance.now();
  await db.connection().execute(async () => {
    await expect(db.selectFrom("payments").select("reference").execute()).rejects.toThrow(/timeout/);
  });
  expect(performance.now() - begun).toBeLessThan(10_000);
  await db.destroy();
});

function watchedDb(url: string) {
  const watch = new DatabaseWatch();
  const db = createDb(createPool({ url, max: 3, name: "test watch", watch }), watch);
  const end = () => {
    watch.stop();
    return db.destroy();
  };
  return { db, watch, end };
}

test("F17 a database that freezes in the midst of a payment: an error within two seconds, and the order once, when it is back", async () => {
  const { user, payment } = await shop.oneBuyer();
  shop.provider.pay(payment.reference);
  const { db, watch, end } = watchedDb(through(shop.url()));
  await db.selectFrom("payments").select("reference").execute();
  proxy.freeze();
  const began = performance.now();
  await expect(settlePayment(payment.reference, db)).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(3000); // includes a second for a busy machine
  expect(watch.isAway).toBe(true);
  await expect(settlePayment(payment.reference, db)).rejects.toThrow("does not answer");
  proxy.thaw();
  await expect.poll(() => watch.isAway).toBe(false);
  expect(await settlePayment(payment.reference, db)).toMatchObject({ outcome: "sold" });
  expect(await shop.salesOf(user)).toHaveLength(1);
  await end();
});

test("F17 the job queue and the listener notice a database that freezes, and work again when it is back", async () => {
  const { db, watch, end } = watchedDb(through(shop.url()));
  await db.selectFrom("payments").select("reference").execute();
  await closeQueue();
  await openQueue(through(shop.url()), { name: "test frozen jobs", watch });
  const close = await openListener(through(shop.url()), watch);
  let heard = 0;
  let done = 0;
  subscribe("frozen", () => heard++);
  await workOn("refresh-rate", async () => void done++);
  proxy.freeze();
  await expect.poll(() => watch.isAway).toBe(true); // only the queue has sent anything
  proxy.thaw();
  await expect.poll(() => watch.isAway).toBe(false);
  await expect.poll(() => heard).toBe(1); // the listener has a new connection, and may have missed messages
  await retryingTransaction(shop.db(), (trx) => enqueue(trx, "refresh-rate", {}));
  await expect.poll(() => done).toBe(1);
  await publish(shop.db(), "frozen");
  await expect.poll(() => heard).toBe(2);
  await close();
  await closeQueue();
  await openQueue(shop.url(), { name: "test jobs" });
  await end();
});

test("F17 a statement that takes long, or waits for a lock, is not taken for a database that is frozen", async () => {
  const { db, watch, end } = watchedDb(shop.url());
  await expect(sql`select pg_sleep(2)`.execute(db)).resolves.toBeDefined();
  expect(watch.failedSince(0)).toBe(false);
  await end();
});

test("F17 a process that was busy or stopped for a while does not take the database for frozen", async () => {
  const { db, watch, end } = watchedDb(through(shop.url()));
  await db.selectFrom("payments").select("reference").execute(); // the only open connection
  proxy.toxics.latency = 60; // a new one takes several answers
  const long = sql`select pg_sleep(2)`.execute(db);
  await sleep(520); // by now a new one is being tried
  const until = performance.now() + 950;
  while (performance.now() < until);
  await expect(long).resolves.toBeDefined();
  expect(watch.failedSince(0)).toBe(false);
  await end();
});

test("F17 a statement that does not come to an end is ended", async () => {
  const pool = createPool({ url: shop.url(), max: 1, name: "test slow", statementTimeout: 200 });
  await expect(pool.query("select pg_sleep(60)")).rejects.toThrow(/statement timeout/);
  await pool.end();
});

test("answers can be late, and connections cut in the midst", async () => {
  proxy.toxics.latency = 30;
  const client = new pg.Client({ connectionString: through(shop.url()) });
  const lost = new Promise((resolve) => client.on("error", resolve));
  await client.connect();
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  proxy.cut(1, Math.random);
  expect(await lost).toBeInstanceOf(Error);
  expect(proxy.counts.cut).toBe(1);
});
