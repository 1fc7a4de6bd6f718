import type { ProviderDescription } from "#app/payment-provider/contract.ts";

export const PAYSTACK: ProviderDescription = {
  id: "paystack",
  name: "Paystack",
  paidWith: "Card (Visa, Mastercard, Verve)",
  records: "Paystack’s dashboard",
  isOutside: true,
  webhook: { path: "/webhooks/paystack", signatureHeader: "x-paystack-signature" },
};
