import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { renderers as accountEmails } from "#app/account/emails.tsx";
import { register } from "#app/account/registration.server.ts";
import { addToCart } from "#app/cart/cart.server.ts";
import { rateInForce, refreshRate, storeRate } from "#app/catalog/rates.server.ts";
import { env } from "#app/infra/env.server.ts";
import { sendQueuedMail } from "#app/infra/mail.server.ts";
import { parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";
import { renderers as checkoutEmails } from "#app/orders/emails.tsx";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { newStage } from "./stepping-db.ts";

/** A mail server that the test controls. Its port must be known before the shop reads its settings. */
const post = await vi.hoisted(async () => {
  const { freePort } = await import("#tests/support/free-port.ts");
  const port = await freePort();
  process.env.SMTP_URL = `smtp://127.0.0.1:${port}`;
  return { port };
});

const { db, url, provider, oneBuyer, salesOf } = useCheckout();
const emails = { ...accountEmails, ...checkoutEmails };

type Refusal = { on: "recipient" | "data"; code: number } | { on: "drop" };
const letters: string[] = [];
let refusals: Refusal[] = [];
const server = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  logger: false,
  onRcptTo: (_, __, done) => {
    if (refusals[0]?.on === "recipient") return done(Object.assign(new Error("no"), { responseCode: refuse() }));
    done();
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const refusal = refusals[0];
      if (refusal?.on === "data") return done(Object.assign(new Error("no"), { responseCode: refuse() }));
      letters.push(Buffer.concat(chunks).toString());
      if (refusal?.on !== "drop") return done();
      refusals.shift();
      (server as unknown as { connections: Set<{ id: string; _socket: { destroy(): void } }> }).connections.forEach(
        (one) => {
          if (one.id === session.id) one._socket.destroy(); // the mail was accepted, but the answer never arrives
        },
      );
    });
  },
});
server.on("error", () => undefined);
function refuse(): number {
  return (refusals.shift() as { code: number }).code;
}
const listen = () => new Promise<void>((resolve) => server.listen(post.port, "127.0.0.1", resolve));
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

async function queued(): Promise<{ id: string; messageId: string }> {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  expect(await salesOf(user)).toHaveLength(1);
  return db()
    .selectFrom("outbox")
    .select(["id", "messageId"])
    .where("kind", "=", "order-confirmation")
    .orderBy("createdAt", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}
const stateOf = (id: string) =>
  db().selectFrom("outbox").select(["state", "tries", "lastError"]).where("id", "=", id).executeTakeFirstOrThrow();

describe("mail", () => {
  test("F48 without the mail server somebody can register, and the mail is queued", async () => {
    const email = "early@example.com";
    expect(await register(db(), { firstName: "Ada", lastName: "Obi", email, password: "harmony" })).toMatchObject({
      ok: true,
    });
    const { id } = await db()
      .selectFrom("outbox")
      .select("id")
      .where("recipient", "=", email)
      .executeTakeFirstOrThrow();
    await expect(sendQueuedMail(id, emails, db())).rejects.toThrow(/ECONNREFUSED/);
    expect(await stateOf(id)).toMatchObject({ state: "queued", tries: 1 });
    await listen();
    await sendQueuedMail(id, emails, db());
    expect(await stateOf(id)).toMatchObject({ state: "sent", tries: 2 });
  });

  test.each<[string, Refusal]>([
    ["defers the recipient", { on: "recipient", code: 450 }],
    ["defers the message", { on: "data", code: 451 }],
    ["refuses the message", { on: "data", code: 554 }],
  ])("F47 a server that %s: the order stands, and the mail is queued until the next try", async (_, refusal) => {
    const { id } = await queued();
    refusals = [refusal];
    await expect(sendQueuedMail(id, emails, db())).rejects.toThrow();
    expect(await stateOf(id)).toMatchObject({ state: "queued", lastError: expect.stringContaining("Error") });
    await sendQueuedMail(id, emails, db());
    await sendQueuedMail(id, emails, db());
    expect(await stateOf(id)).toMatchObject({ state: "sent", lastError: null });
  });

  test("F47 a mailbox that does not exist: the order stands, and the mail has failed without a retry", async () => {
    const { id } = await queued();
    refusals = [{ on: "recipient", code: 550 }];
    await sendQueuedMail(id, emails, db());
    await sendQueuedMail(id, emails, db());
    expect(await stateOf(id)).toMatchObject({
      state: "failed",
      tries: 1,
      lastError: expect.stringContaining("Error"),
    });
  });

  test("F47 a connection that is lost after the message was accepted: it is sent again under the same Message-ID", async () => {
    const { id, messageId } = await queued();
    const before = letters.length;
    refusals = [{ on: "drop" }];
    await expect(sendQueuedMail(id, emails, db())).rejects.toThrow();
    await sendQueuedMail(id, emails, db());
    const both = await Promise.all(letters.slice(before).map((letter) => PostalMime.parse(letter)));
    expect(both.map((mail) => mail.messageId)).toEqual([messageId, messageId]);
  });
});

describe("the currency rates service", () => {
  let body = "";
  const service = createServer((_, response) => response.end(body));
  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    env.RATES_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    env.RATES_URL = undefined;
    service.close();
  });

  test.each([
    ["nothing", ""],
    ["a page", "<html>"],
    ["no naira", '{"rates":{"USD":1}}'],
    ["zero", '{"rates":{"NGN":0}}'],
    ["less than nothing", '{"rates":{"NGN":-1600}}'],
    ["a word", '{"rates":{"NGN":"x"}}'],
    ["far too much", '{"rates":{"NGN":1e9}}'],
    ["more than is believed", '{"rates":{"NGN":2000.01}}'],
    ["infinitely much", '{"rates":{"NGN":1e999}}'],
  ])("F49 says %s: the last good rate stays in force", async (_, said) => {
    await storeRate(db(), parseRate("1600") as Rate, "test");
    body = said;
    await refreshRate(db());
    expect(rateText((await rateInForce(db())).rate)).toBe("1600");
  });

  test("F49 says something while a rate is held: it is stored, and not in force", async () => {
    await storeRate(db(), parseRate("1600") as Rate, "owner", "ada", new Date(Date.now() + 60_000));
    body = '{"rates":{"NGN":1650.5}}';
    await refreshRate(db());
    expect(rateText((await rateInForce(db())).rate)).toBe("1600");
    await db().updateTable("exchangeRates").set({ heldUntil: sql`now()` }).where("heldUntil", "is not", null).execute();
    await refreshRate(db());
    expect(rateText((await rateInForce(db())).rate)).toBe("1650.5");
    await storeRate(db(), parseRate("1600") as Rate, "test");
  });

  test("F49 says something to be believed: it is in force", async () => {
    body = '{"rates":{"NGN":1650.5}}';
    await refreshRate(db());
    expect(rateText((await rateInForce(db())).rate)).toBe("1650.5");
  });

  test("F49 lies a little more each hour: the rate changes no more in a day than at once, unless the owner has set another", async () => {
    const toldInTurn = async (...rates: number[]) => {
      for (const rate of rates) {
        body = JSON.stringify({ rates: { NGN: rate } });
        await refreshRate(db());
      }
      return rateText((await rateInForce(db())).rate);
    };
    await storeRate(db(), parseRate("1600") as Rate, "owner", "ada");
    expect(await toldInTurn(1300, 1000, 800, 1210, 400)).toBe("1210");
    await db().updateTable("exchangeRates").set({ fetchedAt: sql`fetched_at - interval '25 hours'` }).execute();
    expect(await toldInTurn(1000, 800)).toBe("1000");
    await storeRate(db(), parseRate("600") as Rate, "owner", "ada");
    expect(await toldInTurn(500)).toBe("500");
  });
});

describe("clocks", () => {
  afterEach(() => vi.useRealTimers());

  test.each([-3600, 3600, 86_400])(
    "F51 with the shop's clock %i s off, a reservation holds for a quarter of an hour",
    async (seconds) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
      const { payment } = await oneBuyer();
      const order = await db()
        .selectFrom("orders")
        .select(sql<number>`extract(epoch from expires_at - now())::int`.as("left"))
        .where("id", "=", payment.orderId)
        .executeTakeFirstOrThrow();
      expect(order.left).toBeGreaterThan(14 * 60);
      expect(order.left).toBeLessThanOrEqual(15 * 60);
      provider.pay(payment.reference);
      expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" });
    },
  );
});

test("F53 nothing is announced inside a transaction: that would take a lock that all commits share", async () => {
  const said: string[] = [];
  const stage = newStage(url(), db(), (statement) => {
    said.push(statement);
    return statement;
  });
  const { productId, user, payment } = await oneBuyer(5);
  provider.pay(payment.reference);
  for (const work of [
    () => stage.enter((on) => settlePayment(payment.reference, on)),
    () => stage.enter((on) => addToCart(on, user.id, { id: productId, size: "M", quantity: 1 })),
  ])
    await work().run();
  await stage.close();
  let open = false;
  const inside = said.filter((statement) => {
    if (/^(begin|start)/i.test(statement)) open = true;
    if (/^(commit|rollback)/i.test(statement)) open = false;
    return open && statement.includes("pg_notify");
  });
  expect([said.filter((statement) => statement.includes("pg_notify")).length, inside]).toEqual([2, []]);
});
