import { createHmac } from "node:crypto";
import type { Clock } from "./clock.ts";
import { strikes } from "./faults.ts";
import type { Refund, Transaction } from "./ledger.ts";
import { describeTransaction } from "./transaction-json.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Live mode's schedule: four times every 3 minutes, then hourly for 72 hours. */
const RETRIES = [...Array(4).fill(3 * MINUTE), ...Array(72).fill(HOUR)];
const TIMEOUT = 30 * SECOND;

export type Delivery = {
  event: string;
  reference: string;
  body: string;
  signature: string | undefined;
  status: number | null;
  at: string;
};
/** `body` is sent as it is, rightly signed. */
export type Changes = { badSignature?: boolean; body?: string };
export type Webhooks = {
  deliveries: Delivery[];
  charged(transaction: Transaction): Promise<void>;
  refundMoved(transaction: Transaction, refund: Refund): void;
  /** Delivers once now, as a test asks. */
  deliver(transaction: Transaction, event: string, changes?: Changes): Promise<number | null>;
};

export function createWebhooks({
  url,
  secretKey,
  delayMs,
  clock,
}: {
  url?: string;
  secretKey(): string;
  delayMs: number;
  clock: Clock;
}): Webhooks {
  const deliveries: Delivery[] = [];
  const sign = (body: string, key = secretKey()) => createHmac("sha512", key).update(body).digest("hex");

  async function post(
    event: string,
    reference: string,
    body: string,
    signature: string | undefined,
    isLost = false,
  ): Promise<number | null> {
    if (!url) return null;
    const delivery: Delivery = { event, reference, body, signature, status: null, at: clock.now().toISOString() };
    deliveries.push(delivery);
    if (isLost) return null;
    try {
      const headers: Record<string, string> = {
        "content-type": "application/json",
        "user-agent": "Paystack/2.0 (sandbox)",
      };
      if (signature !== undefined) headers["x-paystack-signature"] = signature;
      const response = await fetch(url, {
        method: "POST",
        body,
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT),
      });
      await response.arrayBuffer();
      delivery.status = response.status;
    } catch {
      delivery.status = null; // nobody answered: tried again on the schedule
    }
    return delivery.status;
  }

  async function withRetries(
    event: string,
    reference: string,
    body: string,
    signature: string | undefined,
    lost?: { times: number },
    retry = 0,
  ): Promise<void> {
    const status = await post(event, reference, body, signature, strikes(lost));
    const wait = RETRIES[retry];
    if (status !== 200 && url && wait !== undefined)
      clock.after(wait, () => withRetries(event, reference, body, signature, lost, retry + 1));
  }

  async function charged(transaction: Transaction): Promise<void> {
    const faults = transaction.faults.webhook ?? {};
    if (faults.never) return;
    const { event = "charge.success" } = faults;
    const plain = JSON.stringify({ event, data: describeTransaction(transaction) });
    const body = faults.oddBytes
      ? plain
          .replaceAll("/", "\\/")
          .replace(/^\{/, "{ \n")
          .replace(/"([^"]*)₦/g, '"$1\\u20a6')
      : plain;
    const signatures = {
      bad: "0".repeat(128),
      missing: undefined,
      "other-key": sign(body, "sk_test_other"),
      "upper-case": sign(body).toUpperCase(),
      "changed-body": sign(`${body} `),
    };
    const signature = faults.signature ? signatures[faults.signature] : sign(body);
    const once = () => withRetries(event, transaction.reference, body, signature, faults.lost);
    const all = async () => {
      const times = Array.from({ length: faults.times ?? 1 });
      if (faults.concurrent) await Promise.all(times.map(once));
      else for (const _ of times) await once();
    };
    if (faults.first) await all();
    else clock.after(faults.delayMs ?? delayMs, all);
  }

  function refundMoved(transaction: Transaction, refund: Refund): void {
    const event = `refund.${refund.status}`;
    const hasEnded = refund.status === "failed" || refund.status === "needs-attention";
    const data = {
      status: refund.status,
      transaction_reference: transaction.reference,
      refund_reference: null,
      amount: hasEnded ? refund.amount : String(refund.amount),
      currency: transaction.currency,
      customer: { email: transaction.email },
      domain: "test",
      id: refund.id,
    };
    const body = JSON.stringify({ event, data });
    const { pendingToldLast = false } = transaction.faults.refund ?? {};
    const wait = pendingToldLast && refund.status === "pending" ? delayMs + 5 * SECOND : delayMs;
    clock.after(wait, () => withRetries(event, transaction.reference, body, sign(body)));
  }

  return {
    deliveries,
    charged,
    refundMoved,
    deliver(transaction, event, { badSignature = false, body: given } = {}) {
      const body = given ?? JSON.stringify({ event, data: describeTransaction(transaction) });
      return post(event, transaction.reference, body, badSignature ? "0".repeat(128) : sign(body));
    },
  };
}
