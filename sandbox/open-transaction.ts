import { askedFor, type Faults } from "./faults.ts";
import type { Ledger, Transaction } from "./ledger.ts";

const MINIMUM_KOBO = 5000;

export type Refusal = { message: string; code: string };
export const BAD_EMAIL: Refusal = { message: "Invalid Email Address Passed", code: "invalid_email_address" };
export const DUPLICATE: Refusal = { message: "Duplicate Transaction Reference", code: "duplicate_reference" };

/** The provider's order of checks. */
export function whatIsWrong(body: Record<string, unknown>, ledger: Ledger): Refusal | undefined {
  const { email, amount, currency = "NGN", reference } = body;
  if (!email) return { message: "Email Address is required", code: "missing_params" };
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(email))) return BAD_EMAIL;
  if (!/^[1-9]\d*$/.test(String(amount)) || (currency === "NGN" && Number(amount) < MINIMUM_KOBO))
    return { message: "Invalid Amount Sent", code: "invalid_amount" };
  if (currency !== "NGN") return { message: "Currency not supported by merchant", code: "unsupported_currency" };
  if (reference !== undefined && !/^[A-Za-z0-9.=-]+$/.test(String(reference)))
    return { message: "Invalid transaction reference", code: "invalid_reference" };
  if (reference !== undefined && ledger.transactions.has(String(reference))) return DUPLICATE;
  return undefined;
}

/** `planned` are the faults that a test wants for the next transaction; the shopper's own take precedence. */
export function openTransaction(body: Record<string, unknown>, ledger: Ledger, planned: Faults): Transaction {
  const metadata = parseMetadata(body.metadata);
  return ledger.add({
    email: String(body.email),
    customer: { first_name: text(body.first_name), last_name: text(body.last_name), phone: text(body.phone) },
    amount: Number(body.amount),
    currency: String(body.currency ?? "NGN"),
    metadata,
    callbackUrl: String(body.callback_url ?? ""),
    channels: Array.isArray(body.channels) ? body.channels.map(String) : ["card"],
    split: body.split_code ?? body.split ?? body.subaccount ?? null,
    reference: body.reference === undefined ? undefined : String(body.reference),
    faults: askedFor(String(body.email), metadata) ?? planned,
  });
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function parseMetadata(metadata: unknown): unknown {
  if (typeof metadata !== "string") return metadata ?? "";
  try {
    return JSON.parse(metadata);
  } catch {
    return metadata;
  }
}
