import { z } from "zod";
import { storableText } from "#app/infra/text/storable-text.ts";
import type { ProviderEvent } from "#app/payment-provider/contract.ts";

/** A field that is missing, null or of another type does not make the others unreadable. */
const reference = z.string().optional().catch(undefined);
const time = z.iso.datetime({ offset: true }).optional().catch(undefined);
const shape = z.object({
  event: z.string(),
  data: z
    .object({
      reference,
      transaction_reference: reference, // refunds; null in disputes
      transaction: z.object({ reference }).optional().catch(undefined), // disputes
      dueAt: time, // of disputes, in webhooks
      due_at: time, // of disputes, in the API
    })
    .catch({}),
});

export function readEvent(body: string): ProviderEvent | undefined {
  try {
    const { event, data } = shape.parse(JSON.parse(body));
    const reference = data.transaction?.reference ?? data.transaction_reference ?? data.reference;
    const about = aboutWhat(event);
    return {
      name: storableText(event),
      about,
      reference: reference && storableText(reference),
      dueAt: about === "dispute" ? (data.dueAt ?? data.due_at) : undefined,
    };
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
