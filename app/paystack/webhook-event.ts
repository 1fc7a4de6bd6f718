import { z } from "zod";
import { storableText } from "#app/infra/storable-text.ts";
import type { ProviderEvent } from "#app/payment-provider/contract.ts";

/** What is missing, null or of another kind costs no other field. */
const reference = z.string().optional().catch(undefined);
const shape = z.object({
  event: z.string(),
  data: z
    .object({
      reference,
      transaction_reference: reference, // refunds; null in disputes
      transaction: z.object({ reference }).optional().catch(undefined), // disputes
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
