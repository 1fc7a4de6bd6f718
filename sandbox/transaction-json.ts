import type { Transaction } from "./ledger.ts";

/** The `data` of verify and of charge.success: every key of the provider's own sample. */
export function describeTransaction(transaction: Transaction) {
  const {
    id,
    reference,
    email,
    customer,
    amount,
    currency,
    metadata,
    status,
    gatewayResponse,
    channel,
    paidAt,
    createdAt,
    attempts,
    faults,
  } = transaction;
  const { lie = {} } = faults;
  const paid = paidAt !== null;
  return {
    id,
    domain: lie.domain ?? "test",
    status,
    reference,
    receipt_number: null,
    amount: amount + (lie.amount ?? 0),
    message: null,
    gateway_response: gatewayResponse,
    paid_at: paidAt,
    created_at: createdAt,
    channel,
    currency: lie.currency ?? currency,
    ip_address: "127.0.0.1",
    metadata: "metadata" in lie ? lie.metadata : nextOf(lie.metadataInTurn, metadata),
    log: {
      start_time: Math.floor(Date.parse(createdAt) / 1000),
      time_spent: 0,
      attempts: attempts.length,
      errors: 0,
      success: paid,
      mobile: false,
      input: [],
      history: attempts.map(({ outcome, at }) => ({ type: "action", message: outcome, time: at })),
    },
    fees: paid ? Math.round(amount * 0.015) : null,
    fees_split: null,
    authorization: paid
      ? {
          authorization_code: "AUTH_sandbox",
          bin: "408408",
          last4: "4081",
          exp_month: "12",
          exp_year: "2030",
          channel: "card",
          card_type: "visa ",
          bank: "TEST BANK",
          country_code: "NG",
          brand: "visa",
          reusable: true,
          signature: "SIG_sandbox",
          account_name: null,
        }
      : {},
    customer: {
      id: 1,
      first_name: customer?.first_name ?? null,
      last_name: customer?.last_name ?? null,
      email,
      customer_code: "CUS_sandbox",
      phone: customer?.phone ?? null,
      metadata: null,
      risk_action: "default",
      international_format_phone: null,
    },
    plan: null,
    split: {},
    order_id: null,
    paidAt,
    createdAt,
    requested_amount: lie.requestedAmount ?? amount,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
    connect: null,
    transaction_date: createdAt,
    plan_object: {},
    subaccount: {},
  };
}

function nextOf(inTurn: unknown[] | undefined, otherwise: unknown): unknown {
  if (!inTurn) return otherwise;
  const next = inTurn.shift();
  inTurn.push(next);
  return next;
}
