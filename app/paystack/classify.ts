/** A transaction as the provider tells it, in its own minor units (kobo for NGN). */
export type ProviderTransaction = {
  id: string;
  reference: string;
  status: string;
  domain: string;
  currency: string;
  amount: number;
  /** Without the fees that the payer may have been charged on top. */
  requestedAmount: number | null;
  paidAt: string | null;
};

export type Classification =
  | { kind: "paid" }
  | { kind: "mismatch"; reason: "wrong-amount" | "wrong-currency" | "wrong-mode" }
  | { kind: "pending" }
  | { kind: "unpaid" }
  | { kind: "reversed" };

/** What a provider's answer means for an order of `kobo`. An unknown status says nothing: the money may still come. */
export function classify(transaction: ProviderTransaction, order: { kobo: number; live: boolean }): Classification {
  switch (transaction.status) {
    case "success":
      return classifySuccess(transaction, order);
    case "failed":
    case "abandoned":
      return { kind: "unpaid" };
    case "reversed":
      return { kind: "reversed" };
    default:
      return { kind: "pending" };
  }
}

function classifySuccess(
  { domain, currency, amount, requestedAmount }: ProviderTransaction,
  order: { kobo: number; live: boolean },
): Classification {
  if (domain !== (order.live ? "live" : "test")) return { kind: "mismatch", reason: "wrong-mode" };
  if (currency !== "NGN") return { kind: "mismatch", reason: "wrong-currency" };
  // Fees may be charged on top of what was asked for; nothing may be missing from it.
  const fits = amount >= order.kobo && (requestedAmount ?? amount) === order.kobo;
  return fits ? { kind: "paid" } : { kind: "mismatch", reason: "wrong-amount" };
}
