import * as messages from "#app/messages.ts";
import type { PayState } from "./dialog.tsx";
import type { Settlement } from "./outcomes.ts";

/**
 * The dialog's state for a payment without a sale (yet). `closed`: the shopper closed the popup; otherwise the provider
 * reported a success.
 */
export function unsettled(
  outcome: Settlement["outcome"],
  reference: string,
  closed: boolean,
): Extract<PayState, { step: "stuck" }> {
  const href = `/order/${reference}`;
  if (outcome === "refunding")
    return { step: "stuck", text: "Your money is on its way back to you.", href, hrefText: "See why" };
  const text = closed ? messages.order.notSeen : messages.payment.recordingFailed;
  return { step: "stuck", text, href, hrefText: "Was I charged?" };
}
