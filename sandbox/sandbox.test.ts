import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "./main.ts";

const SECRET = "sk_test_secret";
let sandbox: Sandbox;
let received: { body: string; signature: string }[] = [];
let answers: (number | "never")[] = [];
const hanging: ServerResponse[] = [];
const merchant = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    received.push({ body, signature: String(request.headers["x-paystack-signature"]) });
    const answer = answers.shift() ?? 200;
    if (answer === "never") hanging.push(response);
    else response.writeHead(answer).end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => merchant.listen(0, "127.0.0.1", resolve));
  const { port } = merchant.address() as { port: number };
  sandbox = await startSandbox({ secretKey: SECRET, webhookUrl: `http://127.0.0.1:${port}/`, webhookDelayMs: 0 });
});
afterAll(async () => {
  await sandbox.close();
  merchant.close();
});
beforeEach(async () => {
  await control("reset", {});
  received = [];
  answers = [];
});

async function call(
  path: string,
  body?: unknown,
  key = SECRET,
): Promise<{ status: number; json: Record<string, unknown> & { data?: Record<string, unknown> } }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(sandbox.url + path, {
    headers,
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, json: await response.json() };
}

async function control(path: string, body?: unknown): Promise<unknown> {
  const init = body
    ? { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
    : {};
  return (await fetch(`${sandbox.url}/__sandbox/${path}`, init)).json();
}

const order = {
  email: "ada@example.com",
  amount: 500_000,
  currency: "NGN",
  callback_url: "http://127.0.0.1:1/return",
  metadata: { cancel_action: "http://127.0.0.1:1/checkout" },
};

async function opened(change = {}): Promise<{ reference: string; page: string; code: string }> {
  const { json } = await call("/transaction/initialize", { ...order, ...change });
  const { reference, authorization_url: page, access_code: code } = json.data as Record<string, string>;
  return { reference: reference ?? "", page: page ?? "", code: code ?? "" };
}

const verified = async (reference: string) => (await call(`/transaction/verify/${reference}`)).json.data;

describe("initialise", () => {
  test.each<[string, Record<string, unknown>, number, string]>([
    ["no address", { email: "" }, 400, "missing_params"],
    ["half an address", { email: "ada" }, 400, "invalid_email_address"],
    ["no amount", { amount: undefined }, 400, "invalid_amount"],
    ["half a kobo", { amount: 5000.5 }, 400, "invalid_amount"],
    ["less than 50 naira", { amount: 4999 }, 400, "invalid_amount"],
    ["another currency", { currency: "USD" }, 400, "unsupported_currency"],
    ["a reference with a foreign sign", { reference: "a_b" }, 400, "invalid_reference"],
  ])("%s is refused", async (_, change, status, code) => {
    const answer = await call("/transaction/initialize", { ...order, ...change });
    expect([answer.status, answer.json.status, answer.json.code]).toEqual([status, false, code]);
  });

  test("a reference works once", async () => {
    await opened({ reference: "ORD-1" });
    const again = await call("/transaction/initialize", { ...order, reference: "ORD-1" });
    expect(again).toMatchObject({
      status: 400,
      json: { code: "duplicate_reference", message: "Duplicate Transaction Reference" },
    });
  });

  test.each([
    ["sk_test_other", "Invalid key"],
    ["", "Invalid key"],
  ])("with the key “%s” it answers 401", async (key, message) => {
    expect(await call("/transaction/initialize", order, key)).toMatchObject({ status: 401, json: { message } });
  });

  test("it takes no live keys", async () => {
    await expect(startSandbox({ secretKey: "sk_live_1" })).rejects.toThrow("no live keys");
  });
});

describe("verify", () => {
  test("the customer's name and phone are told again", async () => {
    const customer = { first_name: "Ada", last_name: "Obi", phone: "08031234567" };
    expect(await verified((await opened(customer)).reference)).toMatchObject({ customer });
  });

  test("an opened payment is abandoned until it is paid", async () => {
    const { reference } = await opened();
    expect(await verified(reference)).toMatchObject({
      status: "abandoned",
      amount: 500_000,
      requested_amount: 500_000,
      currency: "NGN",
      domain: "test",
    });
    await control("pay", { reference });
    expect(await verified(reference)).toMatchObject({
      status: "success",
      gateway_response: "Successful",
      channel: "card",
    });
  });

  test("an unknown reference is told as such", async () => {
    expect(await call("/transaction/verify/nothing")).toMatchObject({
      status: 404,
      json: { code: "transaction_not_found" },
    });
  });
});

describe("refunds", () => {
  test.each<[string, string | undefined, number | undefined, number, string | undefined]>([
    ["of an unpaid payment", undefined, undefined, 400, "transaction_not_successful"],
    ["of more than was paid", "success", 500_001, 400, "invalid_amount"],
    ["of all", "success", undefined, 200, undefined],
  ])("%s", async (_, outcome, amount, status, code) => {
    const { reference } = await opened();
    if (outcome) await control("pay", { reference, outcome });
    const answer = await call("/refund", { transaction: reference, amount });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test("are listed with what was written beside them, of one payment or of a time, page by page", async () => {
    const { reference } = await opened();
    await control("pay", { reference });
    const { id } = (await verified(reference)) as { id: number };
    const began = new Date().toISOString();
    await call("/refund", { transaction: reference, amount: 1_000, merchant_note: "Refund 1" });
    await call("/refund", { transaction: reference, amount: 2_000, merchant_note: "Refund 2" });
    await control("refund", { reference, amount: 3_000 });
    const listed = async (query: string) =>
      (await call(`/refund?${query}`)).json.data as unknown as {
        amount: number;
        merchant_note: string;
        transaction: number;
      }[];
    const all = await listed(`transaction=${id}`);
    expect(all.map(({ amount, merchant_note }) => [amount, merchant_note])).toEqual([
      [3_000, `Refund for transaction ${reference}`],
      [2_000, "Refund 2"],
      [1_000, "Refund 1"],
    ]);
    expect(all.every(({ transaction }) => transaction === id)).toBe(true);
    expect((await listed(`from=${began}&perPage=2&page=1`)).map(({ amount }) => amount)).toEqual([3_000, 2_000]);
    expect((await listed(`from=${began}&perPage=2&page=2`)).map(({ amount }) => amount)).toEqual([1_000]);
    expect(await listed(`to=${new Date(0).toISOString()}`)).toEqual([]);
  });

  test("a refund is made once, and ends with the payment reversed", async () => {
    const { reference } = await opened();
    await control("pay", { reference });
    await call("/refund", { transaction: reference });
    expect(await call("/refund", { transaction: reference })).toMatchObject({
      status: 400,
      json: { code: "transaction_reversed" },
    });
    await control("advance", { seconds: 5 });
    expect(await verified(reference)).toMatchObject({ status: "reversed" });
  });
});

describe("webhooks", () => {
  test("a payment is told, signed over exactly the bytes sent", async () => {
    const { reference } = await opened();
    await control("pay", { reference });
    await expect.poll(() => received.length).toBe(1);
    const [{ body = "", signature = "" } = {}] = received;
    expect(signature).toBe(createHmac("sha512", SECRET).update(body).digest("hex"));
    expect(JSON.parse(body)).toMatchObject({ event: "charge.success", data: { reference } });
  });

  test("is tried again every 3 minutes four times, then hourly, until it is answered with 200", async () => {
    answers = [503, 503, 503, 503, 503, 503, 200];
    const { reference } = await opened();
    await control("pay", { reference });
    await expect.poll(() => control("deliveries")).toMatchObject([{ status: 503 }]);
    await control("advance", { seconds: 4 * 180 });
    expect(received).toHaveLength(5);
    await control("advance", { seconds: 3600 });
    expect(received).toHaveLength(6);
    await control("advance", { seconds: 2 * 3600 });
    expect(received).toHaveLength(7);
  });
});

describe("the payment page without script", () => {
  const press = (page: string, outcome: string) =>
    fetch(page, { method: "POST", redirect: "manual", body: new URLSearchParams({ outcome }) });

  test("names the sum and every button", async () => {
    const { page } = await opened();
    const html = await (await fetch(page)).text();
    for (const text of [
      "₦5,000.00",
      "Pay success",
      "Decline",
      "Insufficient funds",
      "Bank authentication",
      "Pay by transfer (pending)",
      "Close",
      "no money moves",
    ])
      expect(html).toContain(text);
  });

  test("a declined card can be followed by a good one, which leads back to the shop", async () => {
    const { page, reference } = await opened();
    expect(await (await press(page, "decline")).text()).toContain("Please try another card");
    const paid = await press(page, "success");
    expect([paid.status, paid.headers.get("location")]).toEqual([
      303,
      `http://127.0.0.1:1/return?trxref=${reference}&reference=${reference}`,
    ]);
    expect(await verified(reference)).toMatchObject({ status: "success" });
  });

  test("closing leads back to the checkout, unpaid", async () => {
    const { page, reference } = await opened();
    expect((await press(page, "close")).headers.get("location")).toBe("http://127.0.0.1:1/checkout");
    expect(await verified(reference)).toMatchObject({ status: "abandoned" });
  });

  test("a transfer is on its way until it arrives", async () => {
    const { page, reference } = await opened();
    await press(page, "pending_transfer");
    expect(await verified(reference)).toMatchObject({ status: "ongoing" });
    await control("advance", { seconds: 30 });
    expect(await verified(reference)).toMatchObject({ status: "success", channel: "bank_transfer" });
  });
});

describe("test cards", () => {
  test.each([
    ["4084 0840 8408 4081", { result: "success" }, "success", "processed"],
    ["5078 5078 5078 5078 12", { result: "success" }, "success", "processed"],
    ["5060 6666 6666 6666 666", { result: "success" }, "success", "processed"],
    ["5078 5078 5078 5078 04", { result: "success" }, "success", "processed"],
    ["4084 0800 0067 1803", { result: "success" }, "success", "failed"],
    ["4084 0800 0067 1902", { result: "success" }, "success", "needs-attention"],
    ["5192 6027 2058 4796", { result: "authenticate" }, "abandoned", undefined],
    ["4084 0800 0000 5408", { result: "declined", message: "Declined" }, "failed", undefined],
    ["5078 5078 5078 5078 53", { result: "declined", message: "Declined" }, "failed", undefined],
    ["4084 0800 0067 0037", { result: "declined", message: "Insufficient Funds" }, "failed", undefined],
    ["4111 1111 1111 1111", { result: "declined", message: "Declined" }, "failed", undefined],
  ])("%s", async (card, charged, status, refunded) => {
    const { reference } = await opened();
    expect(await control("pay", { reference, card })).toEqual(charged);
    expect(await verified(reference)).toMatchObject({ status });
    const { json } = await call("/refund", { transaction: reference });
    if (!refunded) return expect(json.code).toBe("transaction_not_successful");
    await control("advance", { seconds: 2 });
    expect((await call(`/refund/${json.data?.id}`)).json.data).toMatchObject({ status: refunded });
  });

  test("can be typed into the page too", async () => {
    const { page, reference } = await opened();
    const paid = await fetch(page, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ card: "4084084084084081" }),
    });
    expect(paid.status).toBe(303);
    expect(await verified(reference)).toMatchObject({ status: "success" });
  });
});

describe("a payment that was given back", () => {
  test("cannot be paid again", async () => {
    const { reference, page } = await opened();
    await control("pay", { reference });
    await call("/refund", { transaction: reference });
    await control("advance", { seconds: 5 });
    expect(await control("pay", { reference })).toEqual({ result: "success" });
    expect(await verified(reference)).toMatchObject({ status: "reversed" });
    expect((await fetch(page, { redirect: "manual" })).status).toBe(303);
  });

  test("in part stays a success; only what is left can follow", async () => {
    const { reference } = await opened();
    await control("pay", { reference });
    await call("/refund", { transaction: reference, amount: 100_000 });
    await control("advance", { seconds: 5 });
    expect(await verified(reference)).toMatchObject({ status: "success" });
    expect(await call("/refund", { transaction: reference, amount: 400_001 })).toMatchObject({ status: 400 });
    await call("/refund", { transaction: reference });
    await control("advance", { seconds: 5 });
    expect(await verified(reference)).toMatchObject({ status: "reversed" });
  });

  test("but whose refund failed is a success, and can be given back again", async () => {
    const { reference } = await opened();
    await control("pay", { reference, card: "4084080000671803" });
    await call("/refund", { transaction: reference });
    expect(await verified(reference)).toMatchObject({ status: "reversal_pending" });
    await control("advance", { seconds: 5 });
    expect(await verified(reference)).toMatchObject({ status: "success" });
    expect(await call("/refund", { transaction: reference })).toMatchObject({ status: 200 });
  });

  test("whose refund needs attention is retried with the shopper's details, once", async () => {
    const { reference } = await opened();
    await control("pay", { reference, card: "4084080000671902" });
    const { id } = (await call("/refund", { transaction: reference })).json.data as { id: number };
    expect(await call(`/refund/retry_with_customer_details/${id}`, {})).toMatchObject({ status: 422 });
    await control("advance", { seconds: 5 });
    expect(await call(`/refund/retry_with_customer_details/${id}`, {})).toMatchObject({ status: 200 });
    await control("advance", { seconds: 5 });
    expect((await call(`/refund/${id}`)).json.data).toMatchObject({ status: "processed" });
  });
});

describe("what a test or a shopper asks to go wrong", () => {
  test.each([
    ["an address", { email: "ada+decline@example.com" }],
    ["metadata", { metadata: { sandbox_scenario: "decline" } }],
    ["metadata as text", { metadata: '{"sandbox_scenario":"decline"}' }],
  ])("is asked for by %s: the first card is declined, the next one is not", async (_, change) => {
    const { reference } = await opened(change);
    expect(await control("pay", { reference })).toMatchObject({ result: "declined" });
    expect(await control("pay", { reference })).toEqual({ result: "success" });
  });

  test("an address with a tag of its own asks for nothing", async () => {
    const { reference } = await opened({ email: "ada+constructor@example.com" });
    expect(await control("pay", { reference })).toEqual({ result: "success" });
  });

  test.each<[string, unknown]>([
    ["metadata_empty", ""],
    ["metadata_zero", 0],
    ["metadata_null", null],
    ["metadata_text", "an order"],
  ])("%s", async (name, metadata) => {
    const { reference } = await opened();
    await control("scenario", { reference, name });
    expect((await verified(reference))?.metadata).toEqual(metadata);
  });

  test("metadata_shapes: each in turn", async () => {
    const { reference } = await opened();
    await control("scenario", { reference, name: "metadata_shapes" });
    const told = [];
    for (let i = 0; i < 6; i++) told.push((await verified(reference))?.metadata);
    expect(told).toEqual(["", 0, null, "an order", {}, ""]);
  });

  test("webhook_unknown_event: an event that nobody has heard of, rightly signed", async () => {
    const { reference } = await opened();
    await control("scenario", { reference, name: "webhook_unknown_event" });
    await control("pay", { reference });
    await control("advance", { seconds: 1 });
    const [{ body, signature } = { body: "", signature: "" }] = received;
    expect(JSON.parse(body)).toMatchObject({ event: "loyalty.points", data: { reference, status: "success" } });
    expect(signature).toBe(createHmac("sha512", SECRET).update(body).digest("hex"));
  });

  test("webhook_retry: lost on its way twice, it comes with the third try", async () => {
    const { reference } = await opened();
    await control("scenario", { reference, name: "webhook_retry" });
    await control("pay", { reference });
    for (const [seconds, arrived] of [
      [1, 0],
      [180, 0],
      [180, 1],
      [3600, 1],
    ] as const) {
      await control("advance", { seconds });
      expect(received).toHaveLength(arrived);
    }
    const deliveries = (await control("deliveries")) as { status: number | null }[];
    expect(deliveries.map(({ status }) => status)).toEqual([null, null, 200]);
  });

  test("webhook_out_of_order: the end of a refund is told before its beginning", async () => {
    const { reference } = await opened();
    await control("scenario", { reference, name: "webhook_out_of_order" });
    await control("pay", { reference });
    await call("/refund", { transaction: reference });
    await control("advance", { seconds: 10 });
    expect(received.map(({ body }) => JSON.parse(body).event)).toEqual([
      "charge.success",
      "refund.processing",
      "refund.processed",
      "refund.pending",
    ]);
  });

  test("an unknown scenario is named with those that there are", async () => {
    expect(await control("scenario", { name: "flood" })).toMatchObject({ error: expect.stringContaining("decline") });
  });

  test("too many calls in a minute are refused, with what is left in the headers", async () => {
    await control("switch", { rateLimit: 2 });
    const { reference } = await opened();
    await verified(reference);
    const third = await fetch(`${sandbox.url}/transaction`, { headers: { authorization: `Bearer ${SECRET}` } });
    expect([third.status, third.headers.get("x-ratelimit-remaining")]).toEqual([429, "0"]);
    expect(await third.json()).toMatchObject({ code: "rate_limited" });
    await control("advance", { seconds: 60 });
    expect(await verified(reference)).toMatchObject({ status: "abandoned" });
  });

  test("after its key was replaced the one before is refused, and webhooks are signed by the new one", async () => {
    const { reference } = await opened();
    await control("switch", { secretKey: "sk_test_newer" });
    await control("pay", { reference });
    await control("advance", { seconds: 1 });
    const [{ body, signature } = { body: "", signature: "" }] = received;
    expect(signature).toBe(createHmac("sha512", "sk_test_newer").update(body).digest("hex"));
    const path = `/transaction/verify/${reference}`;
    expect([(await call(path)).status, (await call(path, undefined, "sk_test_newer")).status]).toEqual([401, 200]);
  });

  test.each([400, 404])("an unknown reference is told with %s", async (verifyUnknownStatus) => {
    await control("switch", { verifyUnknownStatus });
    expect(await call("/transaction/verify/nothing")).toMatchObject({
      status: verifyUnknownStatus,
      json: { code: "transaction_not_found" },
    });
  });

  test("after a reset nothing is called by an old name", async () => {
    const idOf = async () => (await verified((await opened()).reference))?.id as number;
    const before = await idOf();
    await control("reset", {});
    expect(await idOf()).toBeGreaterThan(before);
  });
});

describe("the lists", () => {
  test("name what was asked for, and what it comes to", async () => {
    await opened();
    const { reference } = await opened({ amount: 700_000 });
    await control("pay", { reference });
    expect(await call("/transaction?status=success")).toMatchObject({
      json: { data: [{ reference }], meta: { total: 1, total_volume: 700_000, page: 1 } },
    });
    expect(await call("/transaction?amount=500000")).toMatchObject({ json: { meta: { total: 1, total_volume: 0 } } });
  });

  test("a timeline tells every attempt to pay, by reference and by id", async () => {
    const { reference } = await opened();
    for (const outcome of ["decline", "success"]) await control("pay", { reference, outcome });
    const id = (await verified(reference))?.id;
    for (const key of [reference, id])
      expect((await call(`/transaction/timeline/${key}`)).json.data).toMatchObject({
        attempts: 2,
        success: true,
        history: [{ message: "decline" }, { message: "success" }],
      });
    expect(await call("/transaction/timeline/nothing")).toMatchObject({ status: 404 });
  });

  test("the browser's own call opens a payment with the public key alone", async () => {
    const ask = (key: string) =>
      call("/checkout/request_inline", { key, email: "ada@example.com", amount: 500_000, ref: `inline-${key.length}` });
    expect(await ask("pk_test_other")).toMatchObject({ status: 401 });
    const { json } = await ask("pk_test_sandbox0000000000000000000000000000");
    expect(json).toMatchObject({ status: true, data: { amount: 500_000, transaction_status: "abandoned" } });
  });
});

describe("the wallet", () => {
  const channels = ["card", "apple_pay"];
  const ask = (path: string, fields: Record<string, string>) =>
    fetch(`${sandbox.url}/applepay/${path}`, { method: "POST", body: new URLSearchParams(fields) });
  const session = { sessionUrl: "https://apple.example/session", displayName: "Irepo", domainName: "shop.example" };
  const idOf = async (reference: string) => String((await verified(reference))?.id);

  test("is allowed, charged once, and told in the books and by webhook like a card", async () => {
    const { reference } = await opened({ channels });
    const transaction = await idOf(reference);
    expect(await (await ask("validate-session/", { transaction, ...session })).json()).toMatchObject({
      status: "success",
      data: { domainName: "shop.example" },
    });
    for (let times = 0; times < 2; times++)
      expect(await (await ask("charge", { transaction, paymentObject: "{}" })).json()).toMatchObject({
        status: "success",
        reference,
      });
    expect(await verified(reference)).toMatchObject({ status: "success", channel: "apple_pay", amount: 500_000 });
    await expect.poll(() => received.map(({ body }) => JSON.parse(body).data.reference)).toEqual([reference]);
  });

  test("that is declined leaves the payment open for a card", async () => {
    const { reference } = await opened({ channels });
    await control("scenario", { reference, name: "decline" });
    const charge = await ask("charge", { transaction: await idOf(reference), paymentObject: "{}" });
    expect(await charge.json()).toEqual({ status: "failed", message: "Declined" });
    await control("pay", { reference });
    expect(await verified(reference)).toMatchObject({ status: "success", channel: "card" });
  });

  test("is not allowed where the payment has no such channel, or a test says so", async () => {
    const cardOnly = await opened();
    const refused = await opened({ channels });
    await control("scenario", { reference: refused.reference, name: "wallet_not_allowed" });
    for (const { reference } of [cardOnly, refused])
      expect(
        await (await ask("validate-session/", { transaction: await idOf(reference), ...session })).json(),
      ).toMatchObject({ status: "failed" });
    await ask("charge", { transaction: await idOf(cardOnly.reference), paymentObject: "{}" });
    expect(await verified(cardOnly.reference)).toMatchObject({ status: "abandoned" });
  });

  test("can be charged without an answer", async () => {
    const { reference } = await opened({ channels });
    await control("scenario", { reference, name: "wallet_reply_lost" });
    await expect(ask("charge", { transaction: await idOf(reference), paymentObject: "{}" })).rejects.toThrow();
    expect(await verified(reference)).toMatchObject({ status: "success" });
  });
});

test("a shop that never answers one webhook gets the others all the same", async () => {
  answers = ["never"];
  const [first, second] = [await opened(), await opened()];
  await control("pay", { reference: first.reference });
  await expect.poll(() => hanging.length).toBe(1);
  await control("pay", { reference: second.reference });
  await expect.poll(() => received.map(({ body }) => JSON.parse(body).data.reference)).toContain(second.reference);
  for (const response of hanging.splice(0)) response.end();
});

describe("the books in a file", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-sandbox-"));
  const stateFile = path.join(folder, "books.jsonl");
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => rmSync(stateFile, { force: true }));

  const headers = { authorization: `Bearer ${SECRET}`, "content-type": "application/json" };
  const start = () => startSandbox({ secretKey: SECRET, stateFile });
  async function post(to: Sandbox, path: string, body: object) {
    const answer = await fetch(to.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await answer.json()) as { data: { reference: string; id: number } };
  }
  const look = async (at: Sandbox, path: string) =>
    ((await (await fetch(at.url + path, { headers })).json()) as { data: Record<string, unknown> }).data;

  test("a transfer and a refund that were under way go on after a restart", async () => {
    const before = await start();
    const [transfer, paid] = [
      (await post(before, "/transaction/initialize", order)).data.reference,
      (await post(before, "/transaction/initialize", order)).data.reference,
    ];
    await post(before, "/__sandbox/pay", { reference: transfer, outcome: "pending_transfer" });
    await post(before, "/__sandbox/pay", { reference: paid });
    const { id } = (await post(before, "/refund", { transaction: paid })).data;
    await before.close();
    const after = await start();
    await post(after, "/__sandbox/advance", { seconds: 40 });
    expect(await look(after, `/transaction/verify/${transfer}`)).toMatchObject({ status: "success" });
    expect(await look(after, `/transaction/verify/${paid}`)).toMatchObject({ status: "reversed" });
    expect(await look(after, `/refund/${id}`)).toMatchObject({ status: "processed" });
    await after.close();
  });

  test("grow by a line a change, and shrink to a line a thing at the next start", async () => {
    const first = await start();
    const { reference } = (await post(first, "/transaction/initialize", order)).data;
    for (const outcome of ["decline", "decline", "success"])
      await post(first, "/__sandbox/pay", { reference, outcome });
    await first.close();
    expect(readFileSync(stateFile, "utf8").trim().split("\n").length).toBeGreaterThan(3);
    await (await start()).close();
    expect(readFileSync(stateFile, "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("keep their counting over a reset and a restart", async () => {
    const first = await start();
    await post(first, "/transaction/initialize", order);
    await post(first, "/__sandbox/reset", {});
    await first.close();
    const second = await start();
    const { reference } = (await post(second, "/transaction/initialize", order)).data;
    expect((await look(second, `/transaction/verify/${reference}`)).id).toBe(4_000_000_001);
    await second.close();
  });

  test.each([
    ["a line that is no JSON", 'x\n{"next":{"transaction":4000000000,"refund":8000000}}\n', "line 1"],
    ["something else in JSON", '{"transactions":[]}\n', "line 1"],
    ["something else at the end", '{"transactions":[],"refunds":[]}', "at the end"],
  ])("with %s are said to be damaged, and left as they are", async (_, content, where) => {
    writeFileSync(stateFile, content);
    await expect(start()).rejects.toThrow(where);
    expect(readFileSync(stateFile, "utf8")).toBe(content);
  });

  test("whose last line was cut off by a crash are read without it", async () => {
    const first = await start();
    const { reference } = (await post(first, "/transaction/initialize", order)).data;
    await first.close();
    writeFileSync(stateFile, `${readFileSync(stateFile, "utf8")}{"transaction":{"id":40000`);
    const second = await start();
    expect(await look(second, `/transaction/verify/${reference}`)).toMatchObject({ reference });
    await second.close();
  });
});

test("started by a shell with no input it stays until it is told to end", async () => {
  const child = spawn(process.execPath, ["sandbox/main.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { SANDBOX_PORT: "0" },
  });
  const { port } = JSON.parse(await new Promise<string>((resolve) => child.stdout?.once("data", resolve)));
  const unauthorised = await fetch(`http://127.0.0.1:${port}/transaction`);
  expect(unauthorised.status).toBe(401);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("alone it is what the shop would start: the settings of .env, the port after the shop's, the OpenID provider", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sandbox-alone-"));
  symlinkSync(path.resolve("sandbox"), path.join(folder, "sandbox"));
  const port = await freePort();
  writeFileSync(
    path.join(folder, ".env"),
    `PORT=${port - 1}\nPAYSTACK_SECRET_KEY=${SECRET}\nPAYSTACK_PUBLIC_KEY=pk_test_x\n`,
  );
  const child = spawn(process.execPath, [path.resolve("scripts/sandbox.ts")], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: {},
  });
  const said = await new Promise((resolve) => child.stdout?.once("data", (text) => resolve(String(text))));
  expect(said).toContain(`http://127.0.0.1:${port}`);
  const headers = { authorization: `Bearer ${SECRET}` };
  expect((await fetch(`http://127.0.0.1:${port}/transaction`, { headers })).status).toBe(200);
  const openId = await fetch(`http://127.0.0.1:${port}/oidc/.well-known/openid-configuration`);
  expect(await openId.json()).toMatchObject({ issuer: `http://127.0.0.1:${port}/oidc` });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true });
});

/** That of a listener which has just ended. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
