/**
 * A refund as the provider tells it: `amount` in minor units, absent where it does not say it; `note` is what whoever asked for it wrote beside it.
 */
export type ProviderRefund = { id: string; status: string; amount?: number; note?: string; transactionId?: string };
