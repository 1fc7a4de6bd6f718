import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { env } from "#app/infra/env.server.ts";
import type { LedgerEntry } from "#app/owner/faults/ledger.server.ts";
import type { Failure, PaymentProvider, ProviderDescription, ProviderRefund } from "#app/payment-provider/contract.ts";
import { DESCRIPTIONS } from "#app/providers/descriptions.ts";
import { PROVIDERS } from "#app/providers/registry.server.ts";

/** The member of staff who took or returned money, and the time. */
type Act = { by: string; at: Date };
type Entry = { id: string; reference: string; kobo: number; taken?: Act & { kobo: number }; back: Back[] };
type Back = { id: string; kobo: number; note: string; given?: Act };

/**
 * A payment provider without a company behind it: staff record money that arrives in cash or by transfer, and money
 * that they return. Its records are the shop's own, here in memory. The file's tests can use this provider for
 * payments.
 */
export function useByHand(description: Pick<ProviderDescription, "id" | "name">) {
  const book = new Map<string, Entry>();
  const found = (reference: string): Entry => {
    const entry = book.get(reference);
    if (!entry) throw new Error(`Nothing was to be taken for ${reference}`);
    return entry;
  };
  const notFound: Failure = { ok: false, failure: "not-found", message: "nothing was to be taken for it" };
  const refundOf = ({ id }: Entry, back: Back): ProviderRefund => ({
    id: back.id,
    status: back.given ? "processed" : "pending",
    amount: back.kobo,
    note: back.note,
    transactionId: id,
  });
  const mode = () => (env.live ? "live" : "test");

  const provider: PaymentProvider = {
    description: { ...description, paidWith: description.name, records: "the cash book", isOutside: false },
    mode,
    async open({ reference, kobo, callbackUrl }) {
      if (book.has(reference)) return { ok: false, failure: "duplicate-reference", message: "" };
      book.set(reference, { id: randomUUID(), reference, kobo, back: [] });
      return { ok: true, accessCode: reference, authorizationUrl: `${callbackUrl}?reference=${reference}` };
    },
    async verify(reference) {
      const entry = book.get(reference);
      if (!entry) return notFound;
      const { id, kobo, taken } = entry;
      const transaction = {
        id,
        reference,
        state: taken ? ("paid" as const) : ("unpaid" as const),
        status: taken ? `taken by ${taken.by}` : "open",
        mode: mode() as "live" | "test",
        currency: "NGN",
        amount: taken?.kobo ?? kobo,
        requestedAmount: null,
        paidAt: taken?.at.toISOString() ?? null,
      };
      return { ok: true, transaction };
    },
    async refund(reference, { kobo, note }) {
      const entry = found(reference);
      const back = { id: randomUUID(), kobo: kobo ?? entry.taken?.kobo ?? 0, note };
      entry.back.push(back);
      return { ok: true, refund: refundOf(entry, back) };
    },
    async listRefunds(id) {
      const entry = [...book.values()].find((one) => one.id === id);
      return entry ? { ok: true, refunds: entry.back.map((back) => refundOf(entry, back)) } : notFound;
    },
  };

  beforeAll(() => {
    PROVIDERS.push(provider);
    DESCRIPTIONS.push(provider.description);
  });
  afterAll(() => {
    PROVIDERS.splice(PROVIDERS.indexOf(provider), 1);
    DESCRIPTIONS.splice(DESCRIPTIONS.indexOf(provider.description), 1);
  });

  return {
    provider,
    /** Records that money has arrived: by default the payment's sum, otherwise `kobo`. */
    take(reference: string, by: string, kobo = found(reference).kobo): void {
      found(reference).taken = { by, at: new Date(), kobo };
    },
    /** The sums that staff still have to return, in kobo. */
    toGiveBack: (reference: string) => found(reference).back.flatMap(({ given, kobo }) => (given ? [] : [kobo])),
    /** Records that all requested refunds were paid out. */
    giveBack(reference: string, by: string): void {
      for (const back of found(reference).back) back.given ??= { by, at: new Date() };
    },
    ledger: (): LedgerEntry[] =>
      [...book.values()].map(({ reference, kobo, taken, back }) => ({
        reference,
        status: taken ? "success" : "open",
        kobo: taken?.kobo ?? kobo,
        currency: "NGN",
        refundedKobo: back.reduce((sum, one) => sum + one.kobo, 0),
      })),
  };
}
