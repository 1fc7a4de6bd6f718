import { z } from "zod";
import { storableText } from "#app/infra/storable-text.ts";
import type { ProviderEvent } from "#app/payment-provider/contract.ts";

const shape = z.object({
  event: z.string(),
  data: z
    .object({
      reference: z.string().optional(),
      transaction_reference: z.string().optional(), // refunds
      transaction: z.object({ reference: z.string() }).optional().catch(undefined), // disputes
    })
    .catch({}),
});

export function readEvent(body: string): ProviderEvent | undefined {
  try {
    const { event, data } = shape.parse(JSON.parse(body));
    const reference = data.transaction?.reference ?? data.transaction_reference ?? data.reference;
    return { name: storableText(event), about: aboutWhat(event), reference: reference && storableText(reference) };
  } catch {
    return undefined;
  }
}

function aboutWhat(event: string): ProviderEvent["about"] {
  if (event === "charge.success") return "paid";
  if (event.startsWith("charge.dispute.")) return "dispute";
  if (event.startsWith("charge.")) return "payment";
  return event.startsWith("refund.") ? "refund" : "other";
}
