import { z } from "zod";

import type { Outcome } from "./outcomes.ts";

/** What a test asks to go wrong with a transaction; everything else goes right. */
export type Faults = {
  initialise?: { kind: "reset-after-create" | "duplicate" | "email" | "5xx" | "html"; times: number };
  /** The result of the first attempts to pay, whatever the button or card; "abandoned": the shopper leaves. */
  charge?: { outcome: Outcome | "abandoned"; times: number };
  /** How often verify answers with this before it works. A timeout answers after `ms`. */
  verify?: { kind: "timeout" | "5xx" | "429" | "html" | "empty" | "reset"; times: number; ms?: number };
  /** verify reports a wrong sum (`amount` is the difference), currency, mode or metadata. */
  lie?: {
    amount?: number;
    requestedAmount?: number;
    currency?: string;
    domain?: string;
    metadata?: unknown;
    /** One after the other, then from the first again. */
    metadataInTurn?: unknown[];
  };
  webhook?: {
    never?: boolean;
    delayMs?: number;
    times?: number;
    concurrent?: boolean;
    /** Delivered, and answered, before the shopper's page hears anything. */
    first?: boolean;
    signature?: "bad" | "missing" | "other-key" | "upper-case" | "changed-body";
    oddBytes?: boolean;
    /** Names this instead of the charge. */
    event?: string;
    /** Its first tries do not arrive. */
    lost?: { times: number };
  };
  /** What the popup says after a charge: "close" although it was paid, or another transaction's reference. */
  popup?: { afterPay?: "close" | "other-reference"; neverLoads?: boolean; setupError?: boolean };
  /**
   * The wallet's session is not allowed, or its charge is made but the answer is lost. A charge that fails: `charge`.
   */
  wallet?: { notAllowed?: boolean; replyLost?: boolean };
  refund?: {
    result?: "failed" | "needs-attention";
    replyLost?: boolean;
    pendingToldLast?: boolean;
    /** No webhooks about the refund. */
    webhookNever?: boolean;
    /** For the first `times` refunds only half goes back. */
    half?: { times: number };
  };
};

/** The named scenarios of the control API. */
export const SCENARIOS: Record<string, Faults> = {
  success: {},
  decline: { charge: { outcome: "decline", times: 1 } },
  insufficient_funds: { charge: { outcome: "insufficient_funds", times: 1 } },
  abandoned: { charge: { outcome: "abandoned", times: 1 } },
  pending_transfer: { charge: { outcome: "pending_transfer", times: 1 } },
  success_then_closed: { popup: { afterPay: "close" } },
  reference_swap: { popup: { afterPay: "other-reference" } },
  popup_never_loads: { popup: { neverLoads: true } },
  setup_error: { popup: { setupError: true } },
  wallet_not_allowed: { wallet: { notAllowed: true } },
  wallet_reply_lost: { wallet: { replyLost: true } },
  webhook_never: { webhook: { never: true } },
  webhook_delayed: { webhook: { delayMs: 5000 } },
  webhook_first: { webhook: { first: true } },
  webhook_duplicate: { webhook: { times: 5 } },
  webhook_concurrent: { webhook: { times: 5, concurrent: true } },
  webhook_out_of_order: { refund: { pendingToldLast: true } },
  webhook_bad_signature: { webhook: { signature: "bad" } },
  webhook_missing_signature: { webhook: { signature: "missing" } },
  webhook_other_key: { webhook: { signature: "other-key" } },
  webhook_upper_case: { webhook: { signature: "upper-case" } },
  webhook_changed_body: { webhook: { signature: "changed-body" } },
  webhook_odd_bytes: { webhook: { oddBytes: true } },
  webhook_unknown_event: { webhook: { event: "loyalty.points" } },
  webhook_retry: { webhook: { lost: { times: 2 } } },
  verify_timeout: { verify: { kind: "timeout", times: 1 } },
  verify_5xx: { verify: { kind: "5xx", times: 2 } },
  verify_429: { verify: { kind: "429", times: 1 } },
  verify_html_502: { verify: { kind: "html", times: 1 } },
  verify_empty: { verify: { kind: "empty", times: 1 } },
  verify_reset: { verify: { kind: "reset", times: 1 } },
  init_timeout_after_create: { initialise: { kind: "reset-after-create", times: 1 } },
  init_duplicate: { initialise: { kind: "duplicate", times: 1 } },
  init_email_refused: { initialise: { kind: "email", times: 1 } },
  init_5xx: { initialise: { kind: "5xx", times: 1 } },
  init_html_502: { initialise: { kind: "html", times: 1 } },
  amount_mismatch: { lie: { amount: -1 } },
  currency_mismatch: { lie: { currency: "USD" } },
  wrong_domain: { lie: { domain: "live" } },
  fees_on_customer: { lie: { amount: 10_283 } },
  metadata_empty: { lie: { metadata: "" } },
  metadata_zero: { lie: { metadata: 0 } },
  metadata_null: { lie: { metadata: null } },
  metadata_text: { lie: { metadata: "an order" } },
  metadata_shapes: { lie: { metadataInTurn: ["", 0, null, "an order", {}] } },
  refund_ok: {},
  refund_partial: { refund: { half: { times: 1 } } },
  refund_failed: { refund: { result: "failed" } },
  refund_needs_attention: { refund: { result: "needs-attention" } },
  refund_webhook_never: { refund: { webhookNever: true } },
  refund_reply_lost: { refund: { replyLost: true } },
};

/** A copy to use up, or undefined where no scenario has the name. */
export function scenario(name: string): Faults | undefined {
  return Object.hasOwn(SCENARIOS, name) ? structuredClone(SCENARIOS[name]) : undefined;
}

const withScenario = z.object({ sandbox_scenario: z.string().optional() }).catch({});

/** A shopper can ask for a scenario too: by metadata, or as ada+decline@example.com. */
export function askedFor(email: string, metadata: unknown): Faults | undefined {
  const { sandbox_scenario: named } = withScenario.parse(metadata);
  return scenario(String(named ?? email.match(/\+(\w+)@/)?.[1]));
}

/** Takes one off a fault's count; false when it is used up or was never asked for. */
export function strikes<F extends { times: number }>(fault: F | undefined): fault is F {
  if (!fault || fault.times <= 0) return false;
  fault.times--;
  return true;
}
