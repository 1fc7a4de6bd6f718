import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "./main.ts";

const SECRET = "sk_test_secret";
let sandbox: Sandbox;
let received: { body: string; signature: string }[] = [];
let answers: number[] = [];
const merchant = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    received.push({ body, signature: String(request.headers["x-paystack-signature"]) });
    response.writeHead(answers.shift() ?? 200).end();
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
    await expect.poll(() => received.length).toBe(1);
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
