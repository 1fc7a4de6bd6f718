import { useState } from "react";
import { messages } from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { forgetDraft } from "./drafts.ts";
import { followPayment } from "./follow-payment.ts";
import type { PayState } from "./payment-dialog.tsx";
import { openPaystack } from "./paystack-popup.ts";

export type Started = { reference: string; accessCode: string; authorizationUrl: string };

const AFTER_PAYMENT = 1000;

/** From an opened payment to its end: the popup, what the server says of it, and what the shopper sees of that. */
export function usePayment(
  checkoutUrl: string,
  close: () => void,
  onPaid: () => void,
): { state: PayState; pay(started: Started): Promise<void>; reset(): void; opening(): void } {
  const [state, setState] = useState<PayState>({ step: "choose" });

  const pay = async ({ reference, accessCode, authorizationUrl }: Started) => {
    setState({ step: "popup" });
    const outcome = await openPaystack({ accessCode, reference, checkoutUrl });
    if (outcome === "timeout" || outcome === "error") {
      const text = "The payment window could not be loaded. Nothing was charged.";
      return setState({ step: "stuck", text, href: authorizationUrl, hrefText: "Pay on the provider's page" });
    }
    setState({ step: "confirming" });
    const end = await followPayment(reference, outcome === "closed");
    const orderUrl = `/order/${reference}`;
    if (end === "sold") {
      toast.success(messages.payment.done);
      forgetDraft();
      onPaid();
      setTimeout(() => {
        close();
        location.assign("/");
      }, AFTER_PAYMENT);
    } else if (end === "refunding")
      setState({ step: "stuck", text: "Your money is on its way back to you.", href: orderUrl, hrefText: "See why" });
    else if (outcome === "closed" && end === "unpaid") {
      setState({ step: "choose" });
      close();
    } else if (end === "pending")
      setState({
        step: "stuck",
        text: "We are waiting for your payment to arrive. Please do not pay again.",
        href: orderUrl,
        hrefText: "Was I charged?",
      });
    else
      setState({ step: "stuck", text: messages.payment.recordingFailed, href: orderUrl, hrefText: "Was I charged?" });
  };
  return { state, pay, reset: () => setState({ step: "choose" }), opening: () => setState({ step: "opening" }) };
}
