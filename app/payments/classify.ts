import type { ProviderTransaction } from "#app/payment-provider/contract.ts";

export type Classification =
  | { kind: "paid" }
  | { kind: "mismatch"; reason: "wrong-amount" | "wrong-currency" | "wrong-mode" }
  | { kind: "pending" }
  | { kind: "unpaid" }
  | { kind: "reversed" };

/** What a provider's answer means for an order of `kobo`. */
export function classify(transaction: ProviderTransaction, order: { kobo: number; live: boolean }): Classification {
  return transaction.state === "paid" ? classifyPaid(transaction, order) : { kind: transaction.state };
}

function classifyPaid(
  { mode, currency, amount, requestedAmount }: ProviderTransaction,
  order: { kobo: number; live: boolean },
): Classification {
  if (mode !== (order.live ? "live" : "test")) return { kind: "mismatch", reason: "wrong-mode" };
  if (currency !== "NGN") return { kind: "mismatch", reason: "wrong-currency" };
  // Fees may be charged on top of what was asked for; nothing may be missing from it.
  const fits = amount >= order.kobo && (requestedAmount ?? amount) === order.kobo;
  return fits ? { kind: "paid" } : { kind: "mismatch", reason: "wrong-amount" };
}
