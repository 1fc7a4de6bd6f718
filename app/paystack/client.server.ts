import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { env } from "#app/infra/env.server.ts";
import { request } from "#app/infra/http/client.server.ts";
import { dependency } from "#app/infra/outage-log.server.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import type {
  Answer,
  Failure,
  PaymentRequest,
  ProviderRefund,
  ProviderTransaction,
} from "#app/payment-provider/contract.ts";

const provider = dependency("the payment provider");

const REFERRER_LENGTH = 500;
/**
 * The most pages, of 100 entries each: of any list, and of a single transaction's refunds. A longer list counts as
 * endless.
 */
const MOST_PAGES = 10_000;
const MOST_PAGES_OF_ONE = 20;

export async function initialise(
  payment: PaymentRequest,
): Promise<Answer<{ accessCode: string; authorizationUrl: string }>> {
  const { channels, splitCode, subaccount } = env.paystack;
  const answer = await call("POST", "/transaction/initialize", initialised, {
    channels,
    split_code: splitCode,
    subaccount,
    email: payment.email,
    first_name: payment.customer?.firstName,
    last_name: payment.customer?.lastName,
    phone: payment.customer?.phone,
    amount: payment.kobo,
    currency: "NGN",
    reference: payment.reference,
    callback_url: payment.callbackUrl,
    metadata: {
      referrer: payment.referrer.slice(0, REFERRER_LENGTH),
      cancel_action: payment.cancelUrl,
      custom_fields: payment.customFields.map(({ label, name, value }) => ({
        display_name: label,
        variable_name: name,
        value,
      })),
    },
  });
  if (!answer.ok) return answer;
  return { ok: true, accessCode: answer.data.access_code, authorizationUrl: answer.data.authorization_url };
}

export async function verify(reference: string): Promise<Answer<{ transaction: ProviderTransaction }>> {
  const answer = await call("GET", `/transaction/verify/${encodeURIComponent(reference)}`, transaction);
  if (!answer.ok) return answer;
  if (answer.data.reference !== reference) return unavailable(`an answer about ${answer.data.reference}`);
  return { ok: true, transaction: toTransaction(answer.data) };
}

export async function listCharges(
  since: Date,
  page: number,
): Promise<Answer<{ transactions: ProviderTransaction[]; more: boolean }>> {
  if (page > MOST_PAGES) return ENDLESS;
  const query = new URLSearchParams({
    status: "success",
    from: since.toISOString(),
    perPage: "100",
    page: String(page),
  });
  const answer = await call("GET", `/transaction?${query}`, z.array(transaction));
  if (!answer.ok) return answer;
  return { ok: true, transactions: answer.data.map(toTransaction), more: answer.data.length === 100 };
}

export async function refund(
  transaction: string,
  { kobo, note }: { kobo?: number; note: string },
): Promise<Answer<{ refund: ProviderRefund }>> {
  const answer = await call("POST", "/refund", refunded, { transaction, amount: kobo, merchant_note: note });
  return answer.ok ? { ok: true, refund: toRefund(answer.data) } : answer;
}

/** All refunds of a transaction, by its id, since the provider does not list refunds by reference. */
export async function listRefunds(transactionId: string): Promise<Answer<{ refunds: ProviderRefund[] }>> {
  const all: ProviderRefund[] = [];
  for (let page = 1; page <= MOST_PAGES_OF_ONE; page++) {
    const answer = await refundPage({ transaction: transactionId }, page);
    if (!answer.ok) return answer;
    all.push(...answer.refunds);
    if (!answer.more) return { ok: true, refunds: all };
  }
  return ENDLESS;
}

export async function listRefundsSince(
  since: Date,
  page: number,
): Promise<Answer<{ refunds: ProviderRefund[]; more: boolean }>> {
  return refundPage({ from: since.toISOString() }, page);
}

async function refundPage(
  filter: Record<string, string>,
  page: number,
): Promise<Answer<{ refunds: ProviderRefund[]; more: boolean }>> {
  if (page > MOST_PAGES) return ENDLESS;
  const query = new URLSearchParams({ ...filter, perPage: "100", page: String(page) });
  const answer = await call("GET", `/refund?${query}`, z.array(refunded));
  if (!answer.ok) return answer;
  return { ok: true, refunds: answer.data.map(toRefund), more: answer.data.length === 100 };
}

const ENDLESS = unavailable("a list without end");

/** Whether the body is signed with the present key or the previous one. */
export function isSigned(body: Uint8Array, signature: string | undefined): boolean {
  if (!signature || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const given = Buffer.from(signature, "hex");
  const { secretKey, previousSecretKey } = env.paystack;
  return [secretKey, previousSecretKey].some(
    (key) => key !== undefined && timingSafeEqual(given, createHmac("sha512", key).update(body).digest()),
  );
}

const initialised = z.looseObject({
  access_code: z.string().min(1),
  authorization_url: z.url({ protocol: /^https?$/ }),
});
const minorUnits = z.int().positive();
const refunded = z.looseObject({
  id: z.string(),
  status: z.string(),
  amount: z.coerce.number().pipe(minorUnits).optional().catch(undefined), // sometimes a text
  merchant_note: z.string().optional().catch(undefined),
  // The id; the response to a request for a refund has the whole transaction instead.
  transaction: z.string().optional().catch(undefined),
});
function toRefund({ id, status, amount, merchant_note, transaction }: z.infer<typeof refunded>): ProviderRefund {
  return {
    id,
    status: REFUND_STATUSES.get(status) ?? "pending",
    amount,
    note: merchant_note,
    transactionId: transaction,
  };
}
const REFUND_STATUSES = new Map<string, ProviderRefund["status"]>([
  ["processed", "processed"],
  ["failed", "failed"],
  ["needs-attention", "needs-attention"],
]);
/** An invalid time is left out, since it would prevent the sale from being recorded. */
const storableTime = z.string().pipe(z.coerce.date<string>().min(new Date(0)).max(new Date("9999-01-01")));
const transaction = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.string(),
  domain: z.string(),
  currency: z.string(),
  amount: minorUnits,
  requested_amount: minorUnits.nullish(),
  paid_at: storableTime.nullish().catch(undefined),
  fees: z.int().nonnegative().nullish().catch(undefined),
  gateway_response: z.string().nullish().catch(undefined),
  log: z.object({ attempts: z.int32().positive() }).nullish().catch(undefined),
});
/** In characters. A bank's words are a sentence; a longer text would fill the order's page. */
const REFUSAL_LENGTH = 200;
function toTransaction({
  domain,
  requested_amount,
  paid_at,
  gateway_response,
  log,
  ...rest
}: z.infer<typeof transaction>): ProviderTransaction {
  return {
    ...rest,
    state: STATES.get(rest.status) ?? "pending",
    mode: domain === "live" || domain === "test" ? domain : "other",
    requestedAmount: requested_amount ?? null,
    paidAt: paid_at?.toISOString() ?? null,
    ...(rest.status === "failed" &&
      gateway_response && {
        refusal: { words: gateway_response.slice(0, REFUSAL_LENGTH), attempt: log?.attempts ?? 1 },
      }),
  };
}
const STATES = new Map<string, ProviderTransaction["state"]>([
  ["success", "paid"],
  ["failed", "unpaid"],
  ["abandoned", "unpaid"],
  ["reversed", "reversed"],
]);

const envelope = z.looseObject({
  status: z.boolean(),
  message: z.string().optional(),
  code: z.string().optional(),
  data: z.unknown().optional(),
});
type Envelope = z.infer<typeof envelope>;

async function call<T>(
  method: "GET" | "POST",
  path: string,
  shape: z.ZodType<T>,
  body?: unknown,
): Promise<Answer<{ data: T }>> {
  const { apiUrl, secretKey } = env.paystack;
  const reply = await request(apiUrl.replace(/\/$/, "") + path, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const said = reply.reached ? readEnvelope(reply.text) : undefined;
  if (!reply.reached || !said) {
    const reason = reply.reached ? `HTTP ${reply.status} without the provider's envelope` : reply.reason;
    provider.failed(reason);
    return unavailable(reason);
  }
  provider.works();
  if (reply.status >= 300 || !said.status)
    return { ok: false, failure: failureOf(reply.status, said), message: said.message ?? "" };
  const data = shape.safeParse(said.data);
  return data.success
    ? { ok: true, data: data.data }
    : unavailable(`unreadable answer: ${z.prettifyError(data.error)}`);
}

/**
 * Parses a response. Ids have up to 64 bits, more than a number can represent, so they are kept as they are written.
 * Characters that the database cannot store are removed from texts.
 */
function readEnvelope(text: string): Envelope | undefined {
  const read = (key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value === "string") return storableText(value);
    return (key === "id" || key === "transaction") && typeof value === "number" ? context?.source : value;
  };
  try {
    return envelope.safeParse(JSON.parse(text, read)).data;
  } catch {
    return undefined; // an error page, or half an answer
  }
}

/**
 * The provider's HTTP statuses are inconsistent (an unknown reference is 400 or 404), so the code and the message are
 * checked first.
 */
function failureOf(status: number, { code = "", message = "" }: Envelope): Failure["failure"] {
  if (code === "duplicate_reference" || /duplicate.*reference/i.test(message)) return "duplicate-reference";
  if (code === "transaction_not_found" || /reference not found/i.test(message)) return "not-found";
  if (code === "transaction_reversed" || /fully reversed/i.test(message)) return "fully-refunded";
  if (status === 400 && (code === "invalid_email_address" || /email address/i.test(message))) return "email-refused";
  if (status === 401) return "auth";
  if (status === 429) return "rate-limited";
  return status >= 400 && status < 500 ? "rejected" : "unavailable";
}

function unavailable(message: string): Failure {
  return { ok: false, failure: "unavailable", message };
}
