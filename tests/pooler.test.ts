import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { isDatabaseConnectionError } from "#app/infra/database/connection-errors.ts";
import { createDb, createPool, type Db } from "#app/infra/database/db.server.ts";
import { prepareDatabase } from "#app/infra/database/prepare.server.ts";
import { DatabaseWatch } from "#app/infra/database/watch.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { ask } from "#tests/support/ask-database.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { hasPgbouncer, type Pooler, startPgbouncer } from "#tests/support/pgbouncer.ts";
import { type FaultProxy, startFaultProxy } from "./chaos/fault-proxy.ts";

const shop = useCheckout();

describe.skipIf(!hasPgbouncer)("behind pgbouncer in transaction mode (Debian's, where it is installed)", () => {
  let pooler: Pooler;
  /** `before` stands between the shop and the pooler, `behind` between the pooler and the database. */
  let before: FaultProxy;
  let behind: FaultProxy;
  let db: Db;
  /** A connection whose statements may take 300 ms. */
  let hasty: Db;
  const watch = new DatabaseWatch();
  const through = (port: number) => shop.url().replace(/:\d+\//, `:${port}/`);

  beforeAll(async () => {
    const admin = inject("postgresUrl");
    behind = await startFaultProxy(Number(new URL(admin).port));
    pooler = await startPgbouncer(admin.replace(/:\d+\//, `:${behind.port}/`));
    before = await startFaultProxy(pooler.port);
    const open = (name: string, statementTimeout?: number) => {
      const address = { url: through(before.port), direct: through(behind.port) };
      return createDb(createPool({ ...address, max: 8, name, statementTimeout, watch }), watch);
    };
    db = open("test pooler");
    hasty = open("test pooler hasty", 300);
  });
  afterAll(async () => {
    await db?.destroy();
    await hasty?.destroy();
    watch.stop();
    await before?.close();
    await pooler?.stop();
    await behind?.close();
  });

  const limits = async (on: Db) => {
    const { rows } = await sql<{ limits: string }>`select concat_ws(' ', current_setting('statement_timeout'),
      current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')) as limits`.execute(on);
    return rows[0]?.limits;
  };

  test("statements of many are answered over two connections, each by what was asked", async () => {
    const asked = Array.from({ length: 30 }, (_, at) => at);
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(asked.map((at) => sql`select ${at}::int as at`.execute(db)));
      expect(answers.map(({ rows }) => rows)).toEqual(asked.map((at) => [{ at }]));
    }
  });

  test("each transaction, and each statement without one, has the limits; nothing of them stays behind", async () => {
    expect(await limits(db)).toBe("10s 5s 15s");
    expect(await db.transaction().execute(limits)).toBe("10s 5s 15s");
    const sleeping = sql`select pg_sleep(5)`;
    await expect(sleeping.execute(hasty)).rejects.toThrow("statement timeout");
    await expect(hasty.transaction().execute((trx) => sleeping.execute(trx))).rejects.toThrow("statement timeout");
    const left = await Promise.all(
      Array.from({ length: 4 }, () => ask(through(pooler.port), "select current_setting('statement_timeout') as ms")),
    );
    expect(left.flat()).toEqual(Array(4).fill({ ms: "0" }));
  });

  test("a failed statement alone undoes nothing but itself, and its connection goes on", async () => {
    await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow("division by zero");
    expect(await limits(db)).toBe("10s 5s 15s");
  });

  test("a purchase is sold once, with the statement that takes its COMMIT along", async () => {
    const { user, payment } = await shop.oneBuyer();
    shop.provider.pay(payment.reference);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => settlePayment(payment.reference, db)));
    expect(outcomes.filter(({ outcome }) => outcome === "sold")).not.toEqual([]);
    expect(await shop.salesOf(user)).toHaveLength(1);
  });

  test("without the direct address the pooler refuses the connection", async () => {
    const pool = createPool({ url: through(pooler.port), max: 1, name: "test" });
    await expect(pool.query("select 1")).rejects.toThrow(/unsupported startup parameter/);
    await pool.end();
  });

  test("whoever waits is told when the pooler is silent and the database is not", async () => {
    await sql`select 1`.execute(hasty);
    before.freeze();
    await expect(sql`select 1`.execute(hasty)).rejects.toThrow(/Connection terminated/);
    before.thaw();
    expect(watch.isAway).toBe(false);
    await expect.poll(() => sql`select 1 as one`.execute(hasty).catch(() => undefined)).toBeDefined();
  });

  test("a database that is away behind its pooler counts as away, and all is well when it is back", async () => {
    const startedAt = performance.now();
    behind.toxics.down = true;
    behind.cut(100, Math.random);
    const error: unknown = await sql`select 1`.execute(db).catch((error) => error);
    expect([isDatabaseConnectionError(error), error]).toEqual([true, expect.any(Error)]);
    expect(watch.failedSince(startedAt)).toBe(true);
    behind.toxics.down = false;
    await expect.poll(() => sql`select 1 as one`.execute(db).catch(() => undefined)).toBeDefined();
  });

  test("the start makes the shop's role by the direct address and works with it through the pooler", async () => {
    const owner = shop.url();
    const { url, direct } = await prepareDatabase({
      owner,
      pooler: through(pooler.port),
      setting: "DATABASE_DIRECT_URL",
    });
    expect([new URL(url).port, new URL(direct ?? "").port]).toEqual([String(pooler.port), new URL(owner).port]);
    expect(new URL(url).username).toMatch(/_shop$/);
    expect(new URL(direct ?? "").username).toBe(new URL(url).username);
  });
});
