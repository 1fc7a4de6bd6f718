import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import type { LedgerEntry } from "#app/owner/faults/ledger.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { reviewRefundsMade } from "#app/owner/provider-review.server.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { refundWished } from "#tests/support/checkout.ts";
import { useDatabase } from "#tests/support/database.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper, toLagos } from "#tests/support/shop.ts";
import { SCENARIOS } from "../../sandbox/faults.ts";
import { type Sandbox, startSandbox } from "../../sandbox/main.ts";
import { startReconciling } from "./reconcile.server.ts";
import { settlePayment } from "./settle.server.ts";
import { startPayment } from "./start.server.ts";
import { closePayment } from "./status.server.ts";
import { receiveWebhook } from "./webhook.server.ts";

// The shop and the whole sandbox, each with its own clock and its own faults, connected by HTTP in both directions.

const { db } = useDatabase();
let sandbox: Sandbox;
let stopTending: () => Promise<void>;

const shop = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const signature = request.headers["x-paystack-signature"];
  const { status } = await receiveWebhook(
    "paystack",
    Buffer.concat(chunks),
    Array.isArray(signature) ? signature[0] : signature,
  );
  response.writeHead(status).end();
});

beforeAll(async () => {
  await seedShipping(db());
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const webhookUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  sandbox = await startSandbox({ secretKey: env.paystack.secretKey, webhookUrl, webhookDelayMs: 10 });
  env.paystack.apiUrl = sandbox.url;
  stopTending = startReconciling(db());
});
afterAll(async () => {
  await stopTending();
  await sandbox.close();
  shop.closeAllConnections();
  shop.close();
});

async function control(path: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${sandbox.url}/__sandbox${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

/** Refunds all that is left, as from the provider's dashboard. */
async function refundByHand(reference: string): Promise<void> {
  const answer = await fetch(`${sandbox.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${env.paystack.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference }),
  });
  expect(answer.status).toBe(200);
}

async function buyer(): Promise<Shopper> {
  return makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
}

async function open(user: Shopper, scenario = "success") {
  const wanted = { user, form: lagosForm, destination: toLagos, currency: "NGN" as const };
  const early = scenario.startsWith("init");
  if (early) await control("/scenario", { name: scenario });
  const opened = await startPayment(db(), wanted);
  if (!opened.ok) throw new Error(opened.problem);
  if (!early) await control("/scenario", { name: scenario, reference: opened.reference });
  return opened;
}

async function stateOf({ id }: Shopper): Promise<string | undefined> {
  const row = await db().selectFrom("orders").select("state").where("userId", "=", id).executeTakeFirst();
  return row?.state;
}

const ledger = (): LedgerEntry[] =>
  [...sandbox.ledger.transactions.values()].map((transaction) => ({
    reference: transaction.reference,
    status: transaction.status,
    kobo: transaction.amount,
    currency: transaction.currency,
    refundedKobo: sandbox.ledger.refundedOf(transaction),
  }));

afterAll(async () => {
  const broken = await checkInvariants(db(), ledger());
  expect(broken.filter(({ rule }) => rule !== "I13")).toEqual([]);
});

describe.each([
  "success",
  "webhook_first",
  "webhook_delayed",
  "webhook_duplicate",
  "webhook_concurrent",
  "webhook_odd_bytes",
  "webhook_unknown_event",
  "webhook_retry",
  "metadata_shapes",
  "fees_on_customer",
  "init_timeout_after_create",
  "init_duplicate",
  "init_5xx",
])("%s", (scenario) => {
  test("becomes one order", async () => {
    const user = await buyer();
    const { reference } = await open(user, scenario);
    await control("/pay", { reference });
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    await expect.poll(() => stateOf(user)).toBe("sold");
  });
});

describe.each(["success", "webhook_first", "webhook_concurrent", "webhook_odd_bytes"])("%s", (scenario) => {
  test("becomes an order without the browser", async () => {
    const user = await buyer();
    const { reference } = await open(user, scenario);
    await control("/pay", { reference });
    await expect.poll(() => stateOf(user)).toBe("sold");
  });
});

describe.each([
  "webhook_bad_signature",
  "webhook_missing_signature",
  "webhook_other_key",
  "webhook_upper_case",
  "webhook_changed_body",
])("%s", (scenario) => {
  test("is refused; a check makes the order all the same", async () => {
    const user = await buyer();
    const { reference } = await open(user, scenario);
    await control("/pay", { reference });
    await expect.poll(() => sandbox.webhooks.deliveries.find((one) => one.reference === reference)?.status).toBe(401);
    expect(await stateOf(user)).toBe("open");
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
  });
});

describe.each(["verify_5xx", "verify_429", "verify_html_502", "verify_empty"])("%s", (scenario) => {
  test("leaves the payment open, and the order is made later", async () => {
    const user = await buyer();
    const { reference } = await open(user, scenario);
    await control("/scenario", { reference, faults: { ...SCENARIOS[scenario], webhook: { never: true } } });
    await control("/pay", { reference });
    expect(await settlePayment(reference)).toEqual({ outcome: "unavailable" });
    await expect.poll(async () => (await settlePayment(reference)).outcome).toBe("sold");
  });
});

describe.each(["amount_mismatch", "currency_mismatch", "wrong_domain", "refund_ok", "refund_reply_lost"])(
  "%s",
  (scenario) => {
    test("is refunded once", async () => {
      const user = await buyer();
      const { reference } = await open(user, scenario);
      await control("/scenario", { reference, faults: { lie: { currency: "USD" }, ...SCENARIOS[scenario] } });
      await control("/pay", { reference });
      expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
      await expect.poll(() => sandbox.ledger.refunds.filter((refund) => refund.reference === reference).length).toBe(1);
      await control("/advance", { seconds: 5 });
      await db()
        .updateTable("refunds")
        .set({ nextTryAt: new Date(0) })
        .where("reference", "=", reference)
        .execute();
      await expect.poll(() => stateOf(user)).toBe("refunded");
      expect(sandbox.ledger.refunds.filter((refund) => refund.reference === reference)).toHaveLength(1);
    });
  },
);

test("refund_partial: half of the sum is not a full refund, and the rest in the dashboard completes it", async () => {
  const user = await buyer();
  const { reference } = await open(user);
  await control("/scenario", { reference, faults: { lie: { currency: "USD" }, ...SCENARIOS.refund_partial } });
  await control("/pay", { reference });
  expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
  const refunds = () => sandbox.ledger.refunds.filter((refund) => refund.reference === reference);
  await expect.poll(() => refunds().length).toBe(1);
  await control("/advance", { seconds: 5 });
  const isNoted = async () =>
    (await checkInvariants(db())).some(({ where, what }) => where === reference && what.endsWith("(refund-failed)"));
  await expect.poll(isNoted).toBe(true);
  expect(await stateOf(user)).toBe("refunding");
  await refundByHand(reference);
  await control("/advance", { seconds: 5 });
  await expect.poll(() => stateOf(user)).toBe("refunded");
  expect(refunds().map(({ status }) => status)).toEqual(["processed", "processed"]);
});

describe("a part refund in the provider's dashboard", () => {
  async function partGivenBack(scenario: string) {
    const user = await buyer();
    const { reference } = await open(user, scenario);
    await control("/pay", { reference });
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
    await control("/refund", { reference, amount: 1_000_000 });
    await control("/advance", { seconds: 5 });
    return { user, reference };
  }
  const backOf = async (reference: string) =>
    (
      await db()
        .selectFrom("payments")
        .select("refundedKobo")
        .where("reference", "=", reference)
        .executeTakeFirstOrThrow()
    ).refundedKobo;

  test("is recorded by its webhook, and the order stays sold", async () => {
    const { user, reference } = await partGivenBack("success");
    await expect.poll(() => backOf(reference)).toBe("1000000");
    expect(await stateOf(user)).toBe("sold");
  });

  test("is recorded by the regular check without a webhook, and the rest can be refunded", async () => {
    const { user, reference } = await partGivenBack("refund_webhook_never");
    expect(await backOf(reference)).toBe("0");
    await reviewRefundsMade(db(), 7);
    expect(await backOf(reference)).toBe("1000000");
    await control("/scenario", { reference, faults: {} });
    expect(await refundWished(db(), reference)).toMatchObject({ ok: true });
    await expect.poll(() => sandbox.ledger.refunds.filter((refund) => refund.reference === reference)).toHaveLength(2);
    await control("/advance", { seconds: 5 });
    await expect.poll(() => stateOf(user)).toBe("refunded");
  });
});

describe("refund_failed", () => {
  /** A refused payment whose refund has failed. */
  async function failed() {
    const user = await buyer();
    const { reference } = await open(user);
    await control("/scenario", { reference, faults: { lie: { currency: "USD" }, ...SCENARIOS.refund_failed } });
    await control("/pay", { reference });
    expect(await settlePayment(reference)).toEqual({ outcome: "refunding" });
    await expect.poll(() => askedFor(reference)).toBe(1);
    await control("/advance", { seconds: 5 });
    await expect.poll(() => refundStateOf(reference)).toBe("failed");
    await control("/scenario", { reference, faults: { lie: { currency: "USD" } } });
    return { user, reference };
  }
  const askedFor = (reference: string) =>
    sandbox.ledger.refunds.filter((refund) => refund.reference === reference).length;
  const refundStateOf = async (reference: string) =>
    (await db().selectFrom("refunds").select("state").where("reference", "=", reference).executeTakeFirst())?.state;

  test("is done by the owner's retry", async () => {
    const { user, reference } = await failed();
    expect(await refundWished(db(), reference)).toMatchObject({ ok: true });
    await expect.poll(() => askedFor(reference)).toBe(2);
    expect(await refundWished(db(), reference)).toMatchObject({ ok: false });
    await control("/advance", { seconds: 5 });
    await expect.poll(() => stateOf(user)).toBe("refunded");
    expect(await refundWished(db(), reference)).toMatchObject({ ok: false });
    expect(askedFor(reference)).toBe(2);
  });

  test("is done by a refund in the dashboard, which the webhook reports", async () => {
    const { user, reference } = await failed();
    await refundByHand(reference);
    await control("/advance", { seconds: 5 });
    await expect.poll(() => stateOf(user)).toBe("refunded");
    expect(askedFor(reference)).toBe(2);
  });
});

test.each(["decline", "insufficient_funds"])(
  "%s: nothing is sold, and paying with another card works",
  async (outcome) => {
    const user = await buyer();
    const { reference } = await open(user);
    await control("/pay", { reference, outcome });
    expect(await settlePayment(reference)).toEqual({ outcome: "unpaid" });
    await control("/pay", { reference });
    expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
  },
);

test("a transfer: the order waits for it, closing the window does not drop it", async () => {
  const user = await buyer();
  const { reference } = await open(user);
  await control("/pay", { reference, outcome: "pending_transfer" });
  expect(await closePayment(db(), user.id, reference)).toEqual({ outcome: "pending" });
  expect(await stateOf(user)).toBe("waiting");
  await control("/pay", { reference });
  await expect.poll(() => stateOf(user)).toBe("sold");
});

test("webhook_retry: the order is made without the browser when the third try arrives", async () => {
  const user = await buyer();
  const { reference } = await open(user, "webhook_retry");
  await control("/pay", { reference });
  await control("/advance", { seconds: 600 });
  await expect.poll(() => stateOf(user)).toBe("sold");
});

test("F15 a webhook without a response is sent again, and then makes the order", async () => {
  const user = await buyer();
  const { reference } = await open(user);
  const port = (shop.address() as AddressInfo).port;
  await new Promise((resolve) => {
    shop.close(resolve);
    shop.closeAllConnections();
  });
  await control("/pay", { reference });
  await expect.poll(() => sandbox.webhooks.deliveries.some((one) => one.reference === reference)).toBe(true);
  await new Promise<void>((resolve) => shop.listen(port, "127.0.0.1", resolve));
  await control("/advance", { seconds: 200 });
  await expect.poll(() => stateOf(user)).toBe("sold");
});
