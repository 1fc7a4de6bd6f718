import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { Clock } from "./clock.ts";
import { type Faults, strikes } from "./faults.ts";
import { hangUp } from "./hang-up.ts";
import type { Ledger, Refund, Transaction } from "./ledger.ts";
import { BAD_EMAIL, DUPLICATE, openTransaction, whatIsWrong } from "./open-transaction.ts";
import type { RefundRefusal, Refunds } from "./refunds.ts";
import type { Switches } from "./switches.ts";
import { describeTransaction } from "./transaction-json.ts";

type Parts = {
  ledger: Ledger;
  refunds: Refunds;
  clock: Clock;
  switches: Switches;
  secretKey(): string;
  checkoutUrl(): string;
  takeFaults(): Faults;
};

const MINUTE = 60_000;

function refuse(c: Context, status: number, message: string, code?: string, type = "validation_error") {
  const meta = { nextStep: "Look at the request and try again" };
  return c.json({ status: false, message, meta, type, code }, status as 400);
}

/** The provider's API for merchants. */
export function merchantApi(parts: Parts): Hono {
  const { ledger, secretKey } = parts;
  const api = new Hono();
  api.use(async (c, next) => {
    const given = c.req.header("authorization");
    if (!given) return refuse(c, 401, "No Authorization Header was found");
    if (given !== `Bearer ${secretKey()}`) return refuse(c, 401, "Invalid key", "invalid_Key");
    return next();
  });
  api.use(rateLimit(parts));
  addTransactions(api, parts);
  addRefunds(api, parts);

  let sessionTimeout = 0;
  const timeout = (message: string) => ({ status: true, message, data: { payment_session_timeout: sessionTimeout } });
  api.get("/integration/payment_session_timeout", (c) => c.json(timeout("Payment session timeout retrieved")));
  api.put("/integration/payment_session_timeout", async (c) => {
    sessionTimeout = Number(((await c.req.json()) as { timeout?: number }).timeout ?? 0);
    return c.json(timeout("Payment session timeout updated"));
  });
  return api;

  function addTransactions(api: Hono, { checkoutUrl, takeFaults, switches }: Parts): void {
    api.post("/transaction/initialize", async (c) => {
      const body = (await c.req.json().catch(() => ({}))) as Record<string, unknown>;
      const bad = whatIsWrong(body, ledger);
      if (bad) return refuse(c, 400, bad.message, bad.code);
      const faults = takeFaults();
      const fault = strikes(faults.initialise) ? faults.initialise.kind : undefined;
      if (fault === "5xx") return c.body("", 500);
      if (fault === "html") return c.html("<h1>502 Bad Gateway</h1>", 502);
      if (fault === "duplicate") return refuse(c, 400, DUPLICATE.message, DUPLICATE.code);
      if (fault === "email") return refuse(c, 400, BAD_EMAIL.message, BAD_EMAIL.code);
      const { accessCode, reference } = openTransaction(body, ledger, faults);
      if (fault === "reset-after-create") return hangUp(c);
      const data = { authorization_url: `${checkoutUrl()}/${accessCode}`, access_code: accessCode, reference };
      return c.json({ status: true, message: "Authorization URL created", data });
    });

    api.get("/transaction/verify/:reference", async (c) => {
      const transaction = ledger.transactions.get(c.req.param("reference"));
      if (!transaction)
        return refuse(c, switches.verifyUnknownStatus, "Transaction reference not found.", "transaction_not_found");
      const { verify } = transaction.faults;
      if (strikes(verify)) {
        ledger.save({ transaction });
        if (verify.kind === "5xx") return c.body("", 503);
        if (verify.kind === "429") return tooOften(c);
        if (verify.kind === "html") return c.html("<h1>502 Bad Gateway</h1>", 502);
        if (verify.kind === "empty") return c.body("", 200);
        if (verify.kind === "reset") return hangUp(c);
        await new Promise((resolve) => setTimeout(resolve, verify.ms ?? MINUTE).unref());
      }
      return c.json({ status: true, message: "Verification successful", data: describeTransaction(transaction) });
    });

    api.get("/transaction", (c) => {
      const { perPage = "50", page = "1", status, from, to, amount } = c.req.query();
      const size = Math.min(Number(perPage), 100);
      const skipped = (Number(page) - 1) * size;
      const all = [...ledger.transactions.values()]
        .reverse()
        .filter((one) => !status || one.status === status)
        .filter((one) => !amount || one.amount === Number(amount))
        .filter((one) => !from || Date.parse(one.createdAt) >= Date.parse(from))
        .filter((one) => !to || Date.parse(one.createdAt) <= Date.parse(to));
      return c.json({
        status: true,
        message: "Transactions retrieved",
        data: all.slice(skipped, skipped + size).map(describeTransaction),
        meta: {
          total: all.length,
          total_volume: all.filter(({ paidAt }) => paidAt).reduce((sum, one) => sum + one.amount, 0),
          skipped,
          perPage: size,
          page: Number(page),
          pageCount: Math.ceil(all.length / size),
        },
      });
    });
    api.get("/transaction/timeline/:key", (c) => {
      const transaction = find(c.req.param("key"));
      return transaction
        ? c.json({ status: true, message: "Timeline retrieved", data: describeTransaction(transaction).log })
        : unknownTransaction(c);
    });
    api.get("/transaction/:id{[0-9]+}", (c) => {
      const transaction = ledger.byId(Number(c.req.param("id")));
      return transaction
        ? c.json({ status: true, message: "Transaction retrieved", data: describeTransaction(transaction) })
        : unknownTransaction(c);
    });
  }

  function addRefunds(api: Hono, { refunds }: Parts): void {
    const REFUSALS: Record<RefundRefusal, [message: string, code: string, type?: string]> = {
      "fully-refunded": ["Transaction has been fully reversed", "transaction_reversed", "api_error"],
      "not-paid": ["Transaction cannot be refunded", "transaction_not_successful", "api_error"],
      "bad-amount": ["Refund amount cannot be more than transaction amount", "invalid_amount"],
    };
    api.post("/refund", async (c) => {
      const body = (await c.req.json().catch(() => ({}))) as Record<string, unknown>;
      const transaction = find(String(body.transaction ?? ""));
      if (!transaction) return refuse(c, 404, "Transaction not found", "transaction_not_found");
      const amount = body.amount === undefined ? undefined : Number(body.amount);
      const note = body.merchant_note === undefined ? undefined : String(body.merchant_note);
      const refund = refunds.ask(transaction, amount, note);
      if (typeof refund === "string") return refuse(c, 400, ...REFUSALS[refund]);
      if (transaction.faults.refund?.replyLost) {
        transaction.faults.refund.replyLost = false;
        ledger.save({ transaction });
        return hangUp(c);
      }
      return c.json({
        status: true,
        message: "Refund has been queued for processing",
        data: { ...describeRefund(refund, transaction), transaction: describeTransaction(transaction) },
      });
    });
    api.get("/refund", (c) => {
      const { transaction, perPage = "50", page = "1", from, to } = c.req.query();
      const size = Math.min(Number(perPage), 100);
      const skipped = (Number(page) - 1) * size;
      const all = ledger.refunds
        .toReversed()
        .filter((one) => !transaction || one.transaction === Number(transaction)) // an id, not a reference
        .filter(({ createdAt }) => !from || Date.parse(createdAt) >= Date.parse(from))
        .filter(({ createdAt }) => !to || Date.parse(createdAt) <= Date.parse(to));
      const data = all
        .slice(skipped, skipped + size)
        .map((refund) => describeRefund(refund, ledger.byId(refund.transaction)));
      const meta = {
        total: all.length,
        skipped,
        perPage: size,
        page: Number(page),
        pageCount: Math.ceil(all.length / size),
      };
      return c.json({ status: true, message: "Refunds retrieved", data, meta });
    });
    api.get("/refund/:id", (c) => {
      const refund = ledger.refundById(Number(c.req.param("id")));
      if (!refund) return refuse(c, 404, "Refund not found", "refund_not_found");
      const data = describeRefund(refund, ledger.byId(refund.transaction));
      return c.json({ status: true, message: "Refund retrieved", data });
    });
    api.post("/refund/retry_with_customer_details/:id", (c) => {
      const refund = ledger.refundById(Number(c.req.param("id")));
      if (!refund) return refuse(c, 404, "Refund not found", "refund_not_found");
      if (!refunds.retry(refund)) return refuse(c, 422, "Refund cannot be retried", "invalid_params");
      const data = describeRefund(refund, ledger.byId(refund.transaction));
      return c.json({ status: true, message: "Refund retried and has been queued for processing", data });
    });
  }

  function find(key: string): Transaction | undefined {
    return ledger.transactions.get(key) ?? ledger.byId(Number(key));
  }
}

const unknownTransaction = (c: Context) =>
  refuse(c, 404, "Transaction ID or code specified is invalid", "transaction_not_found");

/** A window of a minute, of which the next begins when it ends. */
function rateLimit({ switches, clock }: Parts): MiddlewareHandler {
  let window = { ends: 0, calls: 0 };
  return async (c, next) => {
    const limit = switches.rateLimit;
    if (limit === null) return next();
    const now = clock.now().getTime();
    if (now >= window.ends) window = { ends: now + MINUTE, calls: 0 };
    window.calls++;
    c.header("x-ratelimit-limit", String(limit));
    c.header("x-ratelimit-remaining", String(Math.max(0, limit - window.calls)));
    c.header("x-ratelimit-reset", String(Math.ceil((window.ends - now) / 1000)));
    return window.calls > limit ? tooOften(c) : next();
  };
}

function tooOften(c: Context) {
  const meta = { nextStep: "Wait a few minutes and try the API call again" };
  return c.json({ status: false, message: "Rate limit exceeded!", meta, type: "api_error", code: "rate_limited" }, 429);
}

function describeRefund(refund: Refund, transaction?: Transaction) {
  return {
    id: refund.id,
    transaction: refund.transaction,
    status: refund.status,
    amount: refund.amount,
    currency: transaction?.currency ?? "NGN",
    deducted_amount: refund.amount,
    fully_deducted: true,
    refunded_by: "sandbox",
    merchant_note: refund.merchantNote ?? null,
    createdAt: refund.createdAt,
    domain: "test",
  };
}
