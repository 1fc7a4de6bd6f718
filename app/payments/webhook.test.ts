import { createHash, createHmac } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { closeDb, openDb } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { NOBODY } from "#app/infra/mail.server.ts";
import { closeIssues, dueOf } from "#app/orders/issues.server.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { reconcile } from "./reconcile.server.ts";
import { settlePayment } from "./settle.server.ts";
import { receiveWebhook } from "./webhook.server.ts";

const { db, url, provider, oneBuyer, salesOf, statesOf, issuesOf, mailsAbout, catchUp } = useCheckout();

const inbox = () => db().selectFrom("webhookInbox").selectAll().execute();
const send = ({ body, signature }: ReturnType<typeof signedWebhook>) => receiveWebhook("paystack", body, signature);
const detailsOf = async (reference: string) => {
  const issues = await db().selectFrom("paymentIssues").select("details").where("reference", "=", reference).execute();
  return issues.map(({ details }) => details);
};
const sign = (body: Uint8Array, key = env.paystack.secretKey) => createHmac("sha512", key).update(body).digest("hex");

afterEach(() => db().deleteFrom("webhookInbox").execute());

describe("F39 S58 who is believed", () => {
  const body = Buffer.from('{"event":"charge.success","data":{"reference":"x"}}');
  const good = sign(body);

  test.each([
    ["no signature", undefined],
    ["an empty one", ""],
    ["a wrong one", "0".repeat(128)],
    ["a cut one", good.slice(0, -2)],
    ["one with more behind it", `${good}00`],
    ["one in capitals", good.toUpperCase()],
    ["one in other letters", `é${good.slice(1)}`],
    ["two of them", `${good}, ${good}`],
    ["one with another key", sign(body, "sk_test_another")],
    ["one with the public key", sign(body, env.paystack.publicKey)],
    ["one of another body", sign(Buffer.from("{}"))],
    ["one of another kind of hash", createHmac("sha256", env.paystack.secretKey).update(body).digest("hex")],
  ])("%s: 401, and nothing is written or asked", async (_, signature) => {
    expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 401 });
    expect(await inbox()).toEqual([]);
    expect(provider.calls).toEqual([]);
  });

  test("a body of which one byte was changed: 401", async () => {
    expect(await receiveWebhook("paystack", Buffer.from(body.toString().replace("x", "y")), good)).toEqual({
      status: 401,
    });
  });

  test("F41 the key before this one, while it is set", async () => {
    const { payment } = await oneBuyer();
    const old = signedWebhook("charge.success", { reference: payment.reference }, "sk_test_before");
    expect(await send(old)).toEqual({ status: 401 });
    env.paystack.previousSecretKey = "sk_test_before";
    expect(await send(old)).toEqual({ status: 200 });
    env.paystack.previousSecretKey = undefined;
  });

  test.each([
    '{ "event" : "charge.success",\n "data": {"reference":"REF"} }',
    '{"event":"charge.success","data":{"amount":1e6,"id":18446744073709551615,"reference":"REF"}}',
    '{"data":{"reference":"REF","name":"\\u20a6 \\/ é ₦"},"event":"charge.success"}',
    '{"event":"charge.success","data":{"reference":"REF","metadata":""}}',
    '{"event":"charge.success","data":{"reference":"REF","metadata":0,"transaction":null}}',
  ])("F40 the bytes as they are: %s", async (text) => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    const bytes = Buffer.from(text.replace("REF", payment.reference));
    expect(await receiveWebhook("paystack", bytes, sign(bytes))).toEqual({ status: 200 });
    await reconcile(db());
    expect(await salesOf(user)).toHaveLength(1);
  });

  test.each([
    ["a NUL in its data", '"reference":"REF","message":"\\u0000"'],
    ["half a character in its data", '"reference":"REF","message":"\\ud83d"'],
    ["a NUL in its reference", '"reference":"REF\\u0000"'],
    ["half a character in its reference", '"reference":"\\udc00REF"'],
    ["more levels than the database reads", `"reference":"REF","message":${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ])("signed, with %s: stored as it came, 200, and the payment is checked", async (_, data) => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    const bytes = Buffer.from(`{"event":"charge.success","data":{${data.replace("REF", payment.reference)}}}`);
    expect(await receiveWebhook("paystack", bytes, sign(bytes))).toEqual({ status: 200 });
    expect((await inbox()).map(({ body }) => body)).toEqual([bytes.toString()]);
    await reconcile(db());
    expect(await salesOf(user)).toHaveLength(1);
  });

  test.each(["", "no JSON", "[]", "null", '{"event":1}', '"charge.success"'])(
    "signed but unreadable, %j: 400",
    async (text) => {
      const bytes = Buffer.from(text);
      expect(await receiveWebhook("paystack", bytes, sign(bytes))).toEqual({ status: 400 });
    },
  );
});

describe("what is done with it", () => {
  test("F05 F06 a paid order is sold without the browser", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    expect(await send(signedWebhook("charge.success", { reference: payment.reference }))).toEqual({ status: 200 });
    await reconcile(db());
    expect(await salesOf(user)).toHaveLength(1);
    expect(await settlePayment(payment.reference)).toMatchObject({ outcome: "sold" }); // the browser comes back
  });

  test("F07 a hundred times at once: one line in the inbox, one sale", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    const webhook = signedWebhook("charge.success", { reference: payment.reference });
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(webhook)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await Promise.all([reconcile(db()), reconcile(db()), reconcile(db())]);
    expect(await inbox()).toHaveLength(1);
    expect(await salesOf(user)).toHaveLength(1);
  });

  test("F08 success is not believed but checked at the provider", async () => {
    const { user, payment } = await oneBuyer();
    await send(signedWebhook("charge.success", { reference: payment.reference, status: "success", amount: 1 }));
    await reconcile(db());
    expect(await statesOf(user)).toEqual(["open"]);
  });

  test("F08 an old success after the refund changes nothing", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    provider.pay(payment.reference, { status: "reversed" });
    await send(signedWebhook("refund.processed", { transaction_reference: payment.reference, status: "processed" }));
    await reconcile(db());
    expect(await statesOf(user)).toEqual(["refunded"]);
    await send(signedWebhook("charge.success", { reference: payment.reference, late: true }));
    await reconcile(db());
    expect((await salesOf(user)).map(({ status }) => status)).toEqual(["refunded"]);
  });

  test("F45 money taken back by the customer's bank: the sale says so, the stock stays sold, a person is told", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    provider.pay(payment.reference, { status: "reversed" });
    await send(signedWebhook("charge.dispute.resolve", { transaction: { reference: payment.reference } }));
    await reconcile(db());
    expect((await salesOf(user)).map(({ status }) => status)).toEqual(["refunded"]);
    expect(await issuesOf(payment.reference)).toEqual(["dispute", "reversed"]);
    expect(await detailsOf(payment.reference)).toContainEqual({ event: "charge.dispute.resolve" });
    expect(await mailsAbout(payment.reference)).toEqual(["order-confirmation", "refund-done"]);
  });

  test("a dispute belongs to its transaction, even if other fields are null or of another type", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    const data = {
      id: 2867,
      reference: 2867,
      refund_amount: null,
      status: "awaiting-merchant-feedback",
      resolution: null,
      transaction: { id: 5991760, status: "success", reference, amount: payment.kobo, currency: "NGN" },
      transaction_reference: null,
    };
    expect(await send(signedWebhook("charge.dispute.create", data))).toEqual({ status: 200 });
    expect(await detailsOf(reference)).toEqual([{ event: "charge.dispute.create" }]);
    expect((await inbox()).map((one) => one.reference)).toEqual([reference]);
  });

  test("a resolved dispute is reopened by a later webhook about it, except about its end", async () => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    const hear = async (event: string) => {
      await send(signedWebhook(`charge.dispute.${event}`, { transaction: { reference: payment.reference } }));
      const issues = db().selectFrom("paymentIssues").select("id").where("reference", "=", payment.reference);
      return (await issues.where("resolvedAt", "is", null).execute()).length;
    };
    expect(await hear("create")).toBe(1);
    await closeIssues(db(), payment.reference);
    expect(await hear("remind")).toBe(1);
    await closeIssues(db(), payment.reference);
    expect(await hear("resolve")).toBe(0);
  });

  test("40 a dispute has its deadline, and keeps it if a later webhook has none", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    const hear = async (event: string, said: object) => {
      await send(signedWebhook(`charge.dispute.${event}`, { transaction: { reference }, ...said }));
      const [details] = await detailsOf(reference);
      return dueOf(details)?.toISOString();
    };
    const [first, later] = ["2026-12-01T16:00:00.000Z", "2026-12-03T16:00:00.000Z"];
    expect(await hear("create", { dueAt: "soon" })).toBeUndefined();
    expect(await hear("remind", { dueAt: first })).toBe(first);
    expect(await hear("remind", { id: 2 })).toBe(first);
    expect(await hear("remind", { due_at: later })).toBe(later);
    await closeIssues(db(), reference);
    expect(await hear("resolve", { dueAt: first })).toBe(later);
    expect(await hear("remind", { id: 3 })).toBe(later);
  });

  test("F37 money for an order that the shop does not know: 200, and a person is told", async () => {
    const reference = "e".repeat(32);
    expect(await send(signedWebhook("charge.success", { reference }))).toEqual({ status: 200 });
    expect(await issuesOf(reference)).toEqual(["unknown-reference"]);
    expect(await detailsOf(reference)).toEqual([{ event: "charge.success" }]);
  });

  test("F37 an unknown reference with characters that cannot be stored: 200, and a person is told", async () => {
    const body = Buffer.from('{"event":"charge.success","data":{"reference":"no\\u0000\\ud800thing"}}');
    expect(await receiveWebhook("paystack", body, sign(body))).toEqual({ status: 200 });
    expect(await issuesOf("nothing")).toEqual(["unknown-reference"]);
  });

  test("of an event that does not matter, about no payment: 200, and stored without a reference", async () => {
    expect(await send(signedWebhook("customeridentification.success", {}))).toEqual({ status: 200 });
    expect(await inbox()).toMatchObject([{ event: "customeridentification.success", reference: "", body: "{}" }]);
  });

  test("of an event that does not matter: 200, and stored without its body; the order is not affected", async () => {
    const { payment } = await oneBuyer();
    const due = () => db().selectFrom("payments").select(["nextCheckAt", "webhookAt"]).execute();
    const before = await due();
    expect(await send(signedWebhook("transfer.success", { reference: payment.reference }))).toEqual({ status: 200 });
    expect(await inbox()).toMatchObject([{ event: "transfer.success", body: "{}" }]);
    expect([await due(), await issuesOf(payment.reference)]).toEqual([before, []]);
  });

  test.each(["buyer", "payer"])(
    "about an order whose %s was erased: stored without its body, and acted on",
    async (who) => {
      const { payment } = await oneBuyer();
      if (who === "buyer")
        await db().updateTable("orders").set({ email: NOBODY }).where("id", "=", payment.orderId).execute();
      else
        await db()
          .updateTable("payments")
          .set({ payerEmail: NOBODY })
          .where("reference", "=", payment.reference)
          .execute();
      const sent = signedWebhook("charge.success", { reference: payment.reference, customer: "Ada" });
      expect(await send(sent)).toEqual({ status: 200 });
      expect(await inbox()).toMatchObject([{ reference: payment.reference, body: "{}" }]);
      provider.calls.length = 0;
      await reconcile(db());
      expect(provider.calls).toContain(`GET /transaction/verify/${payment.reference}`);
    },
  );

  test("about an order whose buyer is known: stored as it came, with its event and its reference", async () => {
    const { payment } = await oneBuyer();
    const sent = signedWebhook("charge.success", { reference: payment.reference });
    expect(await send(sent)).toEqual({ status: 200 });
    const { reference } = payment;
    const bodyHash = createHash("sha256").update(sent.body).digest();
    expect(await inbox()).toMatchObject([{ event: "charge.success", reference, body: sent.body.toString(), bodyHash }]);
    const due = () => db().selectFrom("payments").select(["nextCheckAt", "webhookAt"]).execute();
    await reconcile(db());
    const later = await due();
    expect(await send(sent)).toEqual({ status: 200 }); // the same webhook once more
    expect([await due(), await issuesOf(reference)]).toEqual([later, []]);
  });

  test("about a refund: a refund that is under way is checked, else the payment", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    provider.pay(reference, { currency: "USD" });
    await settlePayment(reference);
    await db()
      .updateTable("refunds")
      .set({ nextTryAt: new Date("2100-01-01") })
      .execute();
    const due = async () => {
      const { rows } = await sql`select p.next_check_at is not null as payment, r.next_try_at <= now() as refund
        from payments p join refunds r using (reference) where p.reference = ${reference}`.execute(db());
      return rows[0];
    };
    await send(signedWebhook("charge.success", { reference }));
    expect(await due()).toEqual({ payment: false, refund: false });
    await send(signedWebhook("refund.pending", { transaction_reference: reference }));
    expect(await due()).toEqual({ payment: false, refund: true });
    await catchUp(reference);
    provider.finishRefunds("processed", reference);
    await catchUp(reference);
    await send(signedWebhook("refund.processed", { transaction_reference: reference }));
    expect(await due()).toMatchObject({ payment: true });
    await reconcile(db());
  });

  test("F08 about success: a refund under way of a sale is not checked", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    provider.pay(reference);
    await settlePayment(reference);
    await refundWished(db(), reference, { kobo: 100 });
    const planned = () => db().selectFrom("refunds").select("nextTryAt").where("reference", "=", reference).execute();
    await catchUp(reference);
    const before = await planned();
    await send(signedWebhook("charge.success", { reference }));
    expect(await planned()).toEqual(before);
  });

  test.each(["paid", "refused"] as const)(
    "F08 about a payment that is %s by the time the webhook is stored: it is not checked",
    async (state) => {
      const { payment } = await oneBuyer();
      const { reference } = payment;
      const payments = () =>
        db().selectFrom("payments").select(["state", "nextCheckAt"]).where("reference", "=", reference);
      const before = await payments().executeTakeFirstOrThrow();
      const settling = await db().startTransaction().execute();
      await settling
        .updateTable("payments")
        .set({ state, nextCheckAt: null })
        .where("reference", "=", reference)
        .execute();
      const sent = send(signedWebhook("charge.success", { reference }));
      await expect.poll(() => countBlocked(db())).toBe(1);
      await settling.commit().execute();
      expect(await sent).toEqual({ status: 200 });
      expect(await payments().execute()).toEqual([{ state, nextCheckAt: null }]);
      await db().updateTable("payments").set(before).where("reference", "=", reference).execute();
    },
  );

  test("F08 about a payment that is updated meanwhile, and stays open: it is checked all the same", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    const read = () =>
      db().selectFrom("payments").select(["state", "checks", "webhookAt"]).where("reference", "=", reference);
    const { state } = await read().executeTakeFirstOrThrow();
    const checking = await db().startTransaction().execute();
    await checking
      .updateTable("payments")
      .set({ checks: 5, nextCheckAt: new Date("2100-01-01") })
      .where("reference", "=", reference)
      .execute();
    const sent = send(signedWebhook("charge.success", { reference }));
    await expect.poll(() => countBlocked(db())).toBe(1);
    await checking.commit().execute();
    expect(await sent).toEqual({ status: 200 });
    expect(await read().execute()).toEqual([{ state, checks: 0, webhookAt: expect.any(Date) }]);
  });

  test("the usual one takes one statement, and a repetition changes nothing", async () => {
    const { payment } = await oneBuyer();
    const { reference } = payment;
    const webhook = signedWebhook("charge.success", { reference });
    const due = () =>
      db().selectFrom("payments").select(["checks", "webhookAt"]).where("reference", "=", reference).execute();
    const query = vi.spyOn(pg.Client.prototype, "query");
    expect(await send(webhook)).toEqual({ status: 200 });
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    const once = await due();
    expect(once).toEqual([{ checks: 0, webhookAt: expect.any(Date) }]);
    expect(await send(webhook)).toEqual({ status: 200 });
    expect([await due(), (await inbox()).length]).toEqual([once, 1]);
  });

  test("F42 three days late, about a payment that is no longer checked", async () => {
    const { user, payment } = await oneBuyer();
    await db()
      .updateTable("payments")
      .set({ nextCheckAt: null, state: "unpaid" })
      .where("reference", "=", payment.reference)
      .execute();
    provider.pay(payment.reference);
    await send(signedWebhook("charge.success", { reference: payment.reference }));
    await reconcile(db());
    expect(await salesOf(user)).toHaveLength(1);
  });
});

test("S58 a forged one costs no statement: while the database is away it is refused all the same", async () => {
  openDb({ url: "postgresql://irepo:x@127.0.0.1:1/none", max: 1, name: "away" });
  for (const body of [Buffer.from("{}"), Buffer.alloc(256 * 1024, "x")])
    expect(await receiveWebhook("paystack", body, "0".repeat(128))).toEqual({ status: 401 });
  await closeDb();
  openDb({ url: url(), max: 5, name: "back" });
});

test("F15 while the database is away: 503, so that it is sent again; then 200", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  const webhook = signedWebhook("charge.success", { reference: payment.reference });
  const real = db();
  openDb({ url: "postgresql://irepo:x@127.0.0.1:1/none", max: 1, name: "away" });
  expect(await send(webhook)).toEqual({ status: 503 });
  await closeDb();
  openDb({ url: url(), max: 5, name: "back" });
  expect(await send(webhook)).toEqual({ status: 200 });
  await reconcile(real);
  expect(await salesOf(user)).toHaveLength(1);
  await closeDb();
});
