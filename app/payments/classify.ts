import type { ProviderTransaction } from "#app/payment-provider/contract.ts";

export type Classification =
  | { kind: "paid" }
  | { kind: "mismatch"; reason: "wrong-amount" | "wrong-currency" | "wrong-mode" }
  | { kind: "pending" }
  | { kind: "unpaid" }
  | { kind: "reversed" };

/** Classifies a transaction, as the provider reports it, for an order that costs `kobo`. */
export function classify(transaction: ProviderTransaction, order: { kobo: number; live: boolean }): Classification {
  return transaction.state === "paid" ? classifyPaid(transaction, order) : { kind: transaction.state };
}

function classifyPaid(
  { mode, currency, amount, requestedAmount }: ProviderTransaction,
  order: { kobo: number; live: boolean },
): Classification {
  if (mode !== (order.live ? "live" : "test")) return { kind: "mismatch", reason: "wrong-mode" };
  if (currency !== "NGN") return { kind: "mismatch", reason: "wrong-currency" };
  // The provider may add fees to the requested amount, but the amount must not be smaller.
  const fits = amount >= order.kobo && (requestedAmount ?? amount) === order.kobo;
  return fits ? { kind: "paid" } : { kind: "mismatch", reason: "wrong-amount" };
}
