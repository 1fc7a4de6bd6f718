import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { errorMessage } from "#app/infra/error-fields.ts";
import type {
  Answer,
  Failure,
  PaymentProvider,
  ProviderDescription,
  ProviderRefund,
  ProviderTransaction,
} from "#app/payment-provider/contract.ts";
import { addHandRefund, type HandRefund, listHandRefunds, readTaking, type Taking } from "./book.server.ts";
import { BY_HAND } from "./means.ts";

const mode = (): "test" | "live" => (env.live ? "live" : "test");

const NO_PAGE: Failure = { ok: false, failure: "rejected", message: "staff take this money by hand: it has no page" };
const NOT_FOUND: Failure = { ok: false, failure: "not-found", message: "nothing was taken for it" };

/**
 * Money that staff take and give back by hand. Its records are the shop's own book, in which a payment is written down
 * together with what was taken, so nothing has to be opened, and what is to go back stays pending until a member of
 * staff has given it.
 */
function byHand(description: ProviderDescription): PaymentProvider {
  const { id: means } = description;
  return {
    description,
    mode,
    open: async () => NO_PAGE,
    verify: (reference) =>
      answered<{ transaction: ProviderTransaction }>(async () => {
        const taking = await readTaking(db("checkout"), means, reference);
        return taking ? { ok: true, transaction: toTransaction(reference, taking) } : NOT_FOUND;
      }),
    refund: (reference, { kobo, note }) =>
      answered<{ refund: ProviderRefund }>(async () => {
        const taking = await readTaking(db("checkout"), means, reference);
        if (!taking) return NOT_FOUND;
        const back = await addHandRefund(db("checkout"), { reference, kobo: kobo ?? taking.kobo, note });
        return { ok: true, refund: toRefund(back) };
      }),
    // The book knows a payment by its reference, which is also its id.
    listRefunds: (reference) =>
      answered<{ refunds: ProviderRefund[] }>(async () => {
        const backs = await listHandRefunds(db("checkout"), reference);
        return { ok: true, refunds: backs.map(toRefund) };
      }),
  };
}

/** The answer of `ask`. An error of the database becomes a `Failure`, since a provider's functions never throw. */
async function answered<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  return ask().catch((error): Failure => ({ ok: false, failure: "unavailable", message: errorMessage(error) }));
}

function toTransaction(reference: string, { kobo, by, at, mode: made }: Taking): ProviderTransaction {
  return {
    id: reference,
    reference,
    state: "paid",
    status: by === null ? "taken" : `taken by ${by}`,
    mode: made ?? mode(),
    currency: "NGN",
    amount: kobo,
    requestedAmount: null,
    paidAt: at?.toISOString() ?? null,
  };
}

function toRefund({ id, reference, kobo, note, isGiven }: HandRefund): ProviderRefund {
  return { id, status: isGiven ? "processed" : "pending", amount: kobo, note, transactionId: reference };
}

export const byHandProviders: PaymentProvider[] = BY_HAND.map(byHand);
