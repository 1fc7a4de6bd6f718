import { describe, expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { useProvider } from "#tests/support/provider.ts";
import { initialise, listRefunds, refund, verify } from "./client.server.ts";

const provider = useProvider();
let last = 0;

const payment = (reference: string) => ({
  email: "ada@example.com",
  kobo: 500_000,
  reference,
  callbackUrl: "https://shop.example/checkout/return",
  cancelUrl: "https://shop.example/checkout/return?reference=x",
  customer: { firstName: "Ada", lastName: "Obi", phone: "08031234567" },
  referrer: `https://shop.example/checkout?${"x".repeat(600)}`,
  customFields: [{ label: "Customer Name", name: "customer_name", value: "Ada Obi" }],
});

async function opened(): Promise<string> {
  const reference = `test-${++last}`;
  expect(await initialise(payment(reference))).toMatchObject({ ok: true });
  return reference;
}

test("opening sends everything that the provider needs, the referrer cut at 500 characters, with the secret key", async () => {
  await opened();
  expect(provider.bodies.at(-1)).toEqual({
    channels: ["card"],
    email: "ada@example.com",
    first_name: "Ada",
    last_name: "Obi",
    phone: "08031234567",
    amount: 500_000,
    currency: "NGN",
    reference: `test-${last}`,
    callback_url: "https://shop.example/checkout/return",
    metadata: {
      cancel_action: "https://shop.example/checkout/return?reference=x",
      referrer: `https://shop.example/checkout?${"x".repeat(600)}`.slice(0, 500),
      custom_fields: [{ display_name: "Customer Name", variable_name: "customer_name", value: "Ada Obi" }],
    },
  });
  expect(provider.authorizations.at(-1)).toBe(`Bearer ${env.paystack.secretKey}`);
});

test.each([
  [{ channels: ["card", "bank_transfer", "ussd", "bank"] }, { channels: ["card", "bank_transfer", "ussd", "bank"] }],
  [{ splitCode: "SPL_1" }, { split_code: "SPL_1" }],
  [{ subaccount: "ACCT_1" }, { subaccount: "ACCT_1" }],
])("with the setting %j it sends %j", async (setting, told) => {
  const before = { ...env.paystack };
  Object.assign(env.paystack, setting);
  await opened();
  env.paystack = before;
  expect(provider.bodies.at(-1)).toMatchObject(told);
});

test("a reference opens once", async () => {
  const reference = await opened();
  expect(await initialise(payment(reference))).toMatchObject({ ok: false, failure: "duplicate-reference" });
});

test("ids keep all their digits", async () => {
  const reference = await opened();
  const data = `{"id":18446744073709551615,"reference":"${reference}","status":"success","domain":"test","currency":"NGN","amount":1}`;
  provider.faulty({ on: "verify", body: `{"status":true,"message":"OK","data":${data}}` });
  expect(await verify(reference)).toMatchObject({ ok: true, transaction: { id: "18446744073709551615", amount: 1 } });
});

test("a full refund is made, and listed by the transaction's id", async () => {
  const reference = await opened();
  provider.pay(reference);
  const verified = await verify(reference);
  const id = verified.ok ? verified.transaction.id : "";
  expect(await listRefunds(id)).toEqual({ ok: true, refunds: [] });
  expect(await refund(reference, { note: "out-of-stock" })).toMatchObject({ ok: true, refund: { status: "pending" } });
  expect(await listRefunds(id)).toMatchObject({ ok: true, refunds: [{ status: "pending" }] });
});

test.each([
  ["success", "paid"],
  ["abandoned", "unpaid"],
  ["failed", "unpaid"],
  ["pending", "pending"],
  ["ongoing", "pending"],
  ["reversed", "reversed"],
  ["Success", "pending"],
])("a transaction that the provider calls %s is %s", async (status, state) => {
  const data = { id: 1, reference: "r", status, domain: "live", currency: "NGN", amount: 1 };
  provider.faulty({ on: "verify", status: 200, body: JSON.stringify({ status: true, message: "OK", data }) });
  expect(await verify("r")).toMatchObject({ transaction: { state, status, mode: "live" } });
});

describe("the reason for a failure of the provider", () => {
  test.each([
    ["duplicate-reference", 400, { message: "Duplicate Transaction Reference", code: "duplicate_reference" }],
    ["duplicate-reference", 400, { message: "Duplicate Transaction Reference" }],
    ["not-found", 404, { message: "Transaction reference not found.", code: "transaction_not_found" }],
    ["not-found", 400, { message: "Transaction reference not found." }],
    ["auth", 401, { message: "Invalid key", code: "invalid_Key" }],
    ["rate-limited", 429, { message: "Rate limit exceeded!", code: "rate_limited" }],
    ["email-refused", 400, { message: "Invalid Email Address Passed", code: "invalid_email_address" }],
    ["email-refused", 400, { message: "Email Address is required", code: "missing_params" }],
    ["rejected", 400, { message: "Currency not supported by merchant" }],
    ["rejected", 403, { message: "Currency not supported by merchant" }],
    ["rejected", 422, { message: "Invalid", code: "invalid_params" }],
    ["unavailable", 500, { message: "Internal" }],
    ["unavailable", 200, { message: "no verdict, though 200" }],
  ])("%s: %i %j", async (failure, status, body) => {
    provider.faulty({ on: "verify", status, body: JSON.stringify({ status: false, ...body }) });
    expect(await verify("x")).toMatchObject({ ok: false, failure });
  });

  test.each([
    ["an error page", 502, "<html>"],
    ["half an answer", 200, '{"status":true,"data":{"id":'],
    ["nothing", 404, ""],
    ["an empty object", 200, "{}"],
    ["a list", 200, "[]"],
    ["no transaction", 200, '{"status":true,"message":"OK","data":{"metadata":""}}'],
  ])("unavailable: %s", async (_, status, body) => {
    provider.faulty({ on: "verify", status, body });
    expect(await verify("x")).toMatchObject({ ok: false, failure: "unavailable" });
  });

  test.each(["javascript:alert(1)", 42, ""])("unavailable: a payment's page at %j", async (authorization_url) => {
    const data = { access_code: "a", authorization_url };
    provider.faulty({ on: "initialize", times: 2, body: JSON.stringify({ status: true, message: "OK", data }) });
    expect(await initialise(payment(`test-${++last}`))).toMatchObject({ ok: false, failure: "unavailable" });
  });

  test("unavailable: a list of refunds without end", async () => {
    const page = Array.from({ length: 100 }, (_, id) => ({ id, status: "processed", amount: 1 }));
    provider.faulty({ on: "GET /refund", times: 1000, body: JSON.stringify({ status: true, data: page }) });
    expect(await listRefunds("1")).toMatchObject({ ok: false, failure: "unavailable" });
    expect(provider.calls.length).toBeLessThan(50);
  });

  test("no word of the secret key", async () => {
    provider.faulty({ on: "verify", drop: true });
    expect(JSON.stringify(await verify("x"))).not.toContain(env.paystack.secretKey);
  });
});
