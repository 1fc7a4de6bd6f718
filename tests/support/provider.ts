import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { env } from "#app/infra/env.server.ts";
import type { LedgerEntry } from "#app/owner/faults/ledger.server.ts";

type Transaction = {
  id: number;
  reference: string;
  status: string;
  domain: string;
  currency: string;
  amount: number;
  requested_amount: number;
  paid_at: string | null;
  fees?: number | null;
  gateway_response?: string;
  log?: { attempts: number };
};
type Refund = { id: number; transaction: number; status: string; amount: number; merchant_note?: string };

/** The number of transactions and refunds so far. Each has its own number, the same in each run. */
let ids = 4_000_000_000;

/** What the provider does instead of responding to a call. `before`: the call has no effect. */
export type Fault = { on: string; times?: number; before?: boolean; status?: number; body?: string; drop?: boolean };

/** A minimal payment provider whose money and faults a test controls; sandbox/ is the full one. */
export function useProvider() {
  const transactions = new Map<string, Transaction>();
  const refunds: Refund[] = [];
  const tooMuch: string[] = [];
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const authorizations: (string | undefined)[] = [];
  let faults: Fault[] = [];
  const server = createServer((request, response) => void serve(request, response));
  server.keepAliveTimeout = 0; // otherwise an idle connection may be closed just as it is used again, on a busy machine

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = `${request.method} ${request.url}`;
    calls.push(call);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    bodies.push(body && JSON.parse(body));
    authorizations.push(request.headers.authorization);
    const fault = faults.find(({ on, times = 1 }) => times > 0 && call.includes(on));
    if (fault) fault.times = (fault.times ?? 1) - 1;
    const answer = fault?.before ? undefined : act(call, body && JSON.parse(body));
    if (fault?.drop) return void request.socket.resetAndDestroy();
    response.writeHead(fault?.status ?? answer?.code ?? 200, { "content-type": "application/json" });
    response.end(fault?.body ?? JSON.stringify(answer?.body));
  }

  function act(
    call: string,
    body: { reference: string; amount: number; transaction: string | number; merchant_note?: string },
  ) {
    const ok = (data: unknown) => ({ code: 200, body: { status: true, message: "OK", data } });
    const no = (code: number, message: string, name: string) => ({
      code,
      body: { status: false, message, code: name },
    });
    if (call === "POST /transaction/initialize") {
      if (transactions.has(body.reference)) return no(400, "Duplicate Transaction Reference", "duplicate_reference");
      const { reference, amount } = body;
      const fresh = { status: "abandoned", domain: "test", currency: "NGN", paid_at: null };
      transactions.set(reference, { id: ++ids, reference, amount, requested_amount: amount, ...fresh });
      return ok({ access_code: `code-${reference}`, authorization_url: `http://127.0.0.1/${reference}`, reference });
    }
    const verified = /^GET \/transaction\/verify\/(.+)$/.exec(call)?.[1];
    if (verified) {
      const found = transactions.get(verified);
      return found ? ok(found) : no(404, "Transaction reference not found.", "transaction_not_found");
    }
    const [, page] = /^GET \/transaction\?.*page=(\d+)$/.exec(call) ?? [];
    if (page) {
      const charged = [...transactions.values()].filter(({ status }) => status === "success");
      return ok(charged.slice((Number(page) - 1) * 100, Number(page) * 100));
    }
    if (call.startsWith("GET /refund?")) {
      const query = new URLSearchParams(call.slice(call.indexOf("?")));
      const wanted = query.get("transaction");
      const found = refunds.filter(({ transaction }) => wanted === null || String(transaction) === wanted);
      const first = (Number(query.get("page") ?? 1) - 1) * 100;
      return ok(found.slice(first, first + 100));
    }
    if (call === "POST /refund") {
      const found = [...transactions.values()].find(({ id, reference }) => [id, reference].includes(body.transaction));
      if (!found) return no(404, "Transaction not found", "transaction_not_found");
      if (found.status === "reversed") return no(400, "Transaction has been fully reversed", "transaction_reversed");
      const { amount = found.amount, merchant_note } = body;
      const left = found.amount - refundedOf(found);
      // A rule of the provider: a refund may not exceed what is left of the payment.
      if (amount > left) tooMuch.push(`${found.reference}: ${amount} kobo of ${left}`);
      if (amount > left) return no(400, "Refund amount cannot be more than transaction amount", "invalid_amount");
      const refund = { id: ++ids, transaction: found.id, status: "pending", amount, merchant_note };
      refunds.push(refund);
      return ok({ ...refund, transaction: found });
    }
    return no(404, "Not found", "not_found");
  }

  /** The sum of a transaction's refunds, made or under way. */
  function refundedOf({ id }: Transaction): number {
    return refunds
      .filter(({ transaction, status }) => transaction === id && status !== "failed")
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    env.paystack.apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    faults = [];
    calls.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const found = (reference: string): Transaction => {
    const transaction = transactions.get(reference);
    if (!transaction) throw new Error(`The provider knows no ${reference}`);
    return transaction;
  };

  /**
   * The refunds of one payment, in the order in which they were requested. A test may change them; the provider then
   * reports the changed values.
   */
  function refundsOf(reference: string): Refund[] {
    return refunds.filter(({ transaction }) => transaction === found(reference).id);
  }

  function finish(some: Refund[], status: "processed" | "failed"): void {
    for (const refund of some) {
      refund.status = status;
      const transaction = [...transactions.values()].find(({ id }) => id === refund.transaction);
      if (transaction && status === "processed" && refundedOf(transaction) >= transaction.amount)
        transaction.status = "reversed";
    }
  }

  return {
    calls,
    bodies,
    authorizations,
    refunds,
    refundsOf,
    /** The requests to refund more of a payment than was left of it. */
    tooMuch,
    faultless() {
      faults = [];
    },
    knows: (reference: string) => transactions.has(reference),
    /** Forgets all charges, refunds and faults. */
    reset() {
      transactions.clear();
      refunds.length = 0;
      tooMuch.length = 0;
      faults = [];
    },
    faulty: (...some: Fault[]) => void faults.push(...some),
    /** The shopper pays. `as` changes what the provider will report about the payment. */
    pay(reference: string, as: Partial<Transaction> = {}) {
      const transaction = found(reference);
      const fees = Math.round(transaction.amount * 0.015);
      Object.assign(transaction, { status: "success", paid_at: new Date().toISOString(), fees, ...as });
    },
    /** Lets so many minutes pass, by moving payments into the past. */
    growOlder(minutes: number) {
      for (const one of transactions.values())
        if (one.paid_at) one.paid_at = new Date(Date.parse(one.paid_at) - minutes * 60_000).toISOString();
    },
    /** Completes or fails every refund requested so far, or those of one payment. */
    finishRefunds(status: "processed" | "failed" = "processed", ofReference?: string) {
      finish(ofReference ? refundsOf(ofReference) : refunds, status);
    },
    /**
     * Completes or fails the refunds under way, all or those of one payment. Refunds that failed before stay failed.
     */
    finishPending(status: "processed" | "failed", ofReference?: string) {
      const some = ofReference ? refundsOf(ofReference) : refunds;
      finish(
        some.filter((refund) => refund.status === "pending"),
        status,
      );
    },
    /** Makes a refund on the provider's dashboard, without the shop. Returns the refund's id. */
    refundByHand(reference: string, amount: number, status = "processed"): number {
      const { id } = found(reference);
      const refund = { id: ++ids, transaction: id, status, amount };
      refunds.push(refund);
      if (status === "processed" && refundedOf(found(reference)) >= found(reference).amount)
        found(reference).status = "reversed";
      return refund.id;
    },
    ledger: (): LedgerEntry[] =>
      [...transactions.values()].map((transaction) => {
        const { reference, status, amount, currency } = transaction;
        return { reference, status, kobo: amount, currency, refundedKobo: refundedOf(transaction) };
      }),
  };
}

/** A webhook's body and signature as the provider sends them. */
export function signedWebhook(event: string, data: object, key = env.paystack.secretKey) {
  const body = Buffer.from(JSON.stringify({ event, data }));
  return { body, signature: createHmac("sha512", key).update(body).digest("hex") };
}
