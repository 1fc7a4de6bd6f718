import { useEffect, useState } from "react";
import { useFetcher, useRevalidator } from "react-router";
import { refreshCart } from "#app/cart/store.browser.ts";
import type { PaymentDialog, PayWay } from "#app/payments/dialog.tsx";
import type { MadeLink } from "#app/payments/links/own-link.tsx";
import { type Started, usePayment } from "#app/payments/use-payment.browser.ts";
import type { ShippingErrors } from "#app/shipping/check.ts";
import type { ShippingFields } from "#app/shipping/shipping.ts";
import { focusAnswer } from "#app/ui/answers.browser.ts";

/** The checkout's response to its form: the started payment, or why there is none, with the fields as posted. */
export type CheckoutAnswer = {
  fields?: ShippingFields;
  /** Whether the shopper wants the address saved. */
  savesAddress?: boolean;
  errors?: ShippingErrors;
  problem?: string;
  /** A message that is not an error. */
  notice?: string;
  /** Whether the shopper has been told that the order reserves no stock. */
  toldOfNoHold?: boolean;
  started?: Started;
  /** The link by which somebody else pays. */
  link?: MadeLink;
  /** What was typed for whoever pays, and what is wrong with it. */
  payerLine?: string;
  payerLineError?: string;
};

/** The payment dialog from Pay Now to the end of the payment. Its code is loaded on first use. */
export function usePayDialog(checkoutUrl: string) {
  const fetcher = useFetcher<CheckoutAnswer>();
  const { revalidate } = useRevalidator();
  const [loaded, setLoaded] = useState<{ PaymentDialog: typeof PaymentDialog }>();
  const [loading, setLoading] = useState<"no" | "running" | "failed">("no");
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  /** Whether the shopper closed the payment and the provider says that nothing was paid. */
  const [isUnpaid, setUnpaid] = useState(false);
  const payment = usePayment(checkoutUrl, {
    close,
    onPaid: () => void refreshCart(),
    onAwaited: () => void revalidate(),
    onUnpaid: () => setUnpaid(true),
  });
  const { data: answer } = fetcher;

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer
  useEffect(() => {
    if (!answer) return;
    if (answer.started) return void payment.pay(answer.started);
    payment.reset();
    close();
    if (answer.fields) void revalidate(); // after a refusal, the sums or stock on the page may be out of date
    focusAnswer();
  }, [answer]);

  const load = async () => setLoaded({ PaymentDialog: (await import("#app/payments/dialog.tsx")).PaymentDialog });
  return {
    answer,
    loading,
    isUnpaid,
    // A dialog that was closed while the server was being asked opens again to show the result.
    PaymentDialog: isOpen || ["paid", "stuck"].includes(payment.state.step) ? loaded?.PaymentDialog : undefined,
    /** Whether the shopper is choosing a way to pay, or paying. */
    isPaying: isOpen || payment.state.step !== "choose",
    payment,
    /** Loads the dialog's code ahead of time. If that fails, `open` tries again. */
    prepare(): void {
      if (!loaded) void load().catch(() => undefined);
    },
    async open(): Promise<void> {
      payment.reset();
      setUnpaid(false);
      if (loaded) return setOpen(true);
      setLoading("running");
      try {
        await load();
        setLoading("no");
        setOpen(true);
      } catch {
        setLoading("failed"); // the page shows the failure
        focusAnswer();
      }
    },
    /** Submits the form once the shopper has chosen a way to pay. The response starts the payment. */
    submit(way: PayWay, form: Record<string, string>): void {
      payment.opening(way);
      void fetcher.submit(form, { method: "post", action: "/checkout", defaultShouldRevalidate: false });
    },
  };
}
