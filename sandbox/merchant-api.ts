import type { Context } from "hono";
import { Hono } from "hono";
import type { Clock } from "./clock.ts";
import type { Faults } from "./faults.ts";
import type { Ledger, Refund, Transaction } from "./ledger.ts";
import { describeTransaction } from "./transaction-json.ts";
import type { Webhooks } from "./webhooks.ts";

type Parts = {
  ledger: Ledger;
  webhooks: Webhooks;
  clock: Clock;
  secretKey: string;
  checkoutUrl(): string;
  takeFaults(reference?: string): Faults;
};

const MINIMUM_KOBO = 5000;
const HANG = 60_000;

function refuse(c: Context, status: number, message: string, code?: string, type = "validation_error") {
  return c.json(
    { status: false, message, meta: { nextStep: "Look at the request and try again" }, type, code },
    status as 400,
  );
}

/** The provider's API for merchants. */
export function merchantApi({ ledger, webhooks, clock, secretKey, checkoutUrl, takeFaults }: Parts): Hono {
  const api = new Hono();
  api.use(async (c, next) => {
    const given = c.req.header("authorization");
    if (!given) return refuse(c, 401, "No Authorization Header was found");
    if (given !== `Bearer ${secretKey}`) return refuse(c, 401, "Invalid key", "invalid_Key");
    return next();
  });

  api.post("/transaction/initialize", async (c) => {
    const body = (await c.req.json().catch(() => ({}))) as Record<string, unknown>;
    const bad = whatIsWrong(body, ledger);
    if (bad) return refuse(c, bad.status ?? 400, bad.message, bad.code);
    const faults = takeFaults(body.reference as string | undefined);
    const fault = faults.initialise && faults.initialise.times-- > 0 ? faults.initialise.kind : undefined;
    if (fault === "5xx") return c.body("", 500);
    if (fault === "html") return c.html("<h1>502 Bad Gateway</h1>", 502);
    if (fault === "duplicate") return duplicate(c);
    const transaction = ledger.add({
      email: String(body.email),
      amount: Number(body.amount),
      currency: String(body.currency ?? "NGN"),
      metadata: parseMetadata(body.metadata),
      callbackUrl: String(body.callback_url ?? ""),
      channels: Array.isArray(body.channels) ? body.channels.map(String) : ["card"],
      reference: body.reference as string | undefined,
      faults,
    });
    if (fault === "timeout-after-create") await new Promise((resolve) => setTimeout(resolve, HANG).unref());
    if (fault === "reset-after-create") return hangUp(c);
    return c.json({
      status: true,
      message: "Authorization URL created",
      data: {
        authorization_url: `${checkoutUrl()}/${transaction.accessCode}`,
        access_code: transaction.accessCode,
        reference: transaction.reference,
      },
    });
  });

  api.get("/transaction/verify/:reference", async (c) => {
    const transaction = ledger.transactions.get(c.req.param("reference"));
    if (!transaction) return refuse(c, 404, "Transaction reference not found.", "transaction_not_found");
    const { verify } = transaction.faults;
    if (verify && verify.times-- > 0) {
      if (verify.kind === "5xx") return c.body("", 503);
      if (verify.kind === "429")
        return c.json(
          {
            status: false,
            message: "Rate limit exceeded!",
            meta: { nextStep: "Wait a few minutes and try the API call again" },
            type: "api_error",
            code: "rate_limited",
          },
          429,
        );
      if (verify.kind === "html") return c.html("<h1>502 Bad Gateway</h1>", 502);
      if (verify.kind === "empty") return c.body("", 200);
      if (verify.kind === "reset") return hangUp(c);
      await new Promise((resolve) => setTimeout(resolve, HANG).unref());
    }
    return c.json({ status: true, message: "Verification successful", data: describeTransaction(transaction) });
  });

  api.get("/transaction", (c) => {
    const perPage = Math.min(Number(c.req.query("perPage") ?? 50), 100);
    const page = Number(c.req.query("page") ?? 1);
    const all = [...ledger.transactions.values()]
      .reverse()
      .filter(({ status }) => !c.req.query("status") || status === c.req.query("status"));
    return c.json({
      status: true,
      message: "Transactions retrieved",
      data: all.slice((page - 1) * perPage, page * perPage).map(describeTransaction),
      meta: {
        total: all.length,
        skipped: (page - 1) * perPage,
        perPage,
        page,
        pageCount: Math.ceil(all.length / perPage),
      },
    });
  });
  api.get("/transaction/:id{[0-9]+}", (c) => {
    const transaction = ledger.byId(Number(c.req.param("id")));
    return transaction
      ? c.json({ status: true, message: "Transaction retrieved", data: describeTransaction(transaction) })
      : refuse(c, 404, "Transaction ID or code specified is invalid", "transaction_not_found");
  });

  api.post("/refund", async (c) => {
    const body = (await c.req.json().catch(() => ({}))) as Record<string, unknown>;
    const key = String(body.transaction ?? "");
    const transaction = ledger.transactions.get(key) ?? ledger.byId(Number(key));
    if (!transaction) return refuse(c, 404, "Transaction not found", "transaction_not_found");
    const left = transaction.amount - ledger.refundedOf(transaction);
    if (left <= 0) return refuse(c, 400, "Transaction has been fully reversed", "transaction_reversed", "api_error");
    if (transaction.status !== "success")
      return refuse(c, 400, "Transaction cannot be refunded", "transaction_not_successful", "api_error");
    const amount = body.amount === undefined ? left : Number(body.amount);
    if (!Number.isInteger(amount) || amount <= 0 || amount > left)
      return refuse(c, 400, "Refund amount cannot be more than transaction amount", "invalid_amount");
    const refund = ledger.addRefund(transaction, amount);
    if (left === amount) transaction.status = "reversal_pending";
    const move = (status: Refund["status"], ms: number) =>
      clock.after(ms, () => moveRefund(transaction, refund, status));
    move("processing", 500);
    move(transaction.faults.refund?.result ?? "processed", 1000);
    webhooks.refundMoved(transaction, refund);
    if (transaction.faults.refund?.replyLost) {
      transaction.faults.refund.replyLost = false;
      return hangUp(c);
    }
    return c.json({
      status: true,
      message: "Refund has been queued for processing",
      data: { ...describeRefund(refund, transaction), transaction: describeTransaction(transaction) },
    });
  });

  function moveRefund(transaction: Transaction, refund: Refund, status: Refund["status"]): void {
    refund.status = status;
    if (status === "processed" && ledger.refundedOf(transaction) >= transaction.amount) transaction.status = "reversed";
    if (status === "failed") transaction.status = "success";
    ledger.touch();
    webhooks.refundMoved(transaction, refund);
  }

  api.get("/refund", (c) => {
    const id = Number(c.req.query("transaction"));
    const found = ledger.refunds.filter((refund) => !c.req.query("transaction") || refund.transaction === id);
    return c.json({
      status: true,
      message: "Refunds retrieved",
      data: found.map((refund) => describeRefund(refund, ledger.byId(refund.transaction))),
    });
  });
  api.get("/refund/:id", (c) => {
    const refund = ledger.refunds.find(({ id }) => id === Number(c.req.param("id")));
    return refund
      ? c.json({
          status: true,
          message: "Refund retrieved",
          data: describeRefund(refund, ledger.byId(refund.transaction)),
        })
      : refuse(c, 404, "Refund not found", "refund_not_found");
  });
  api.post("/refund/retry_with_customer_details/:id", (c) => {
    const refund = ledger.refunds.find(({ id }) => id === Number(c.req.param("id")));
    const transaction = refund && ledger.byId(refund.transaction);
    if (!refund || !transaction) return refuse(c, 404, "Refund not found", "refund_not_found");
    if (refund.status !== "needs-attention") return refuse(c, 422, "Refund cannot be retried", "invalid_params");
    clock.after(500, () => moveRefund(transaction, refund, "processed"));
    return c.json({
      status: true,
      message: "Refund retried and has been queued for processing",
      data: describeRefund(refund, transaction),
    });
  });

  let sessionTimeout = 0;
  api.get("/integration/payment_session_timeout", (c) =>
    c.json({
      status: true,
      message: "Payment session timeout retrieved",
      data: { payment_session_timeout: sessionTimeout },
    }),
  );
  api.put("/integration/payment_session_timeout", async (c) => {
    sessionTimeout = Number(((await c.req.json()) as { timeout?: number }).timeout ?? 0);
    return c.json({
      status: true,
      message: "Payment session timeout updated",
      data: { payment_session_timeout: sessionTimeout },
    });
  });
  return api;
}

/** The provider's order of checks. */
function whatIsWrong(
  body: Record<string, unknown>,
  ledger: Ledger,
): { message: string; code?: string; status?: number } | undefined {
  const { email, amount, currency = "NGN", reference } = body;
  if (!email) return { message: "Email Address is required", code: "missing_params" };
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(email)))
    return { message: "Invalid Email Address Passed", code: "invalid_email_address" };
  if (!/^[1-9]\d*$/.test(String(amount)) || (currency === "NGN" && Number(amount) < MINIMUM_KOBO))
    return { message: "Invalid Amount Sent", code: "invalid_amount" };
  if (currency !== "NGN") return { message: "Currency not supported by merchant", code: "unsupported_currency" };
  if (reference !== undefined && !/^[A-Za-z0-9.=-]+$/.test(String(reference)))
    return { message: "Invalid transaction reference", code: "invalid_reference" };
  if (reference !== undefined && ledger.transactions.has(String(reference))) return DUPLICATE;
  return undefined;
}

const DUPLICATE = { message: "Duplicate Transaction Reference", code: "duplicate_reference" };
const duplicate = (c: Context) => refuse(c, 400, DUPLICATE.message, DUPLICATE.code);

function parseMetadata(metadata: unknown): unknown {
  if (typeof metadata !== "string") return metadata ?? "";
  try {
    return JSON.parse(metadata);
  } catch {
    return metadata;
  }
}

function describeRefund(refund: Refund, transaction?: Transaction) {
  return {
    id: refund.id,
    transaction: refund.transaction,
    transaction_reference: refund.reference,
    status: refund.status,
    amount: refund.amount,
    currency: transaction?.currency ?? "NGN",
    deducted_amount: refund.amount,
    fully_deducted: true,
    refunded_by: "sandbox",
    createdAt: refund.createdAt,
    domain: "test",
  };
}

/** The connection ends without an answer, as when a network breaks. */
function hangUp(c: Context): Response {
  const { outgoing } = c.env as { outgoing?: { destroy(): void } };
  outgoing?.destroy();
  return new Response(null);
}
