import { useEffect, useState } from "react";
import { useFetcher, useRevalidator } from "react-router";
import { refreshCart } from "#app/cart/store.browser.ts";
import type { PaymentDialog, PayWay } from "#app/payments/dialog.tsx";
import { type Started, usePayment } from "#app/payments/use-payment.browser.ts";
import type { ShippingErrors } from "#app/shipping/check.ts";
import type { ShippingFields } from "#app/shipping/shipping.ts";
import { focusProblem } from "#app/ui/focus.browser.ts";

/** What the checkout answers to its form: a started payment, or why there is none, with the fields as they were posted. */
export type CheckoutAnswer = {
  fields?: ShippingFields;
  errors?: ShippingErrors;
  problem?: string;
  /** What there is to say that is no fault. */
  notice?: string;
  /** Whether the shopper has been told that nothing is put aside. */
  toldOfNoHold?: boolean;
  started?: Started;
};

/** From Pay Now to the end of the payment: the dialog, whose code is fetched when it is first wanted, and what the checkout answers. */
export function usePayDialog(checkoutUrl: string) {
  const fetcher = useFetcher<CheckoutAnswer>();
  const { revalidate } = useRevalidator();
  const [loaded, setLoaded] = useState<{ PaymentDialog: typeof PaymentDialog }>();
  const [loading, setLoading] = useState<"no" | "running" | "failed">("no");
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  /** The shopper closed the payment, and the provider says that nothing was paid. */
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
    if (answer.fields) void revalidate(); // what was refused may show what is no longer so: sums, stock
    focusProblem();
  }, [answer]);

  const load = async () => setLoaded({ PaymentDialog: (await import("#app/payments/dialog.tsx")).PaymentDialog });
  return {
    answer,
    loading,
    isUnpaid,
    // Closed while the server was asked: what came of it is shown all the same.
    PaymentDialog: isOpen || ["paid", "stuck"].includes(payment.state.step) ? loaded?.PaymentDialog : undefined,
    /** Whether a payment is being chosen or made. */
    isPaying: isOpen || payment.state.step !== "choose",
    payment,
    /** Fetches the dialog's code before it is opened; when it does not come, `open` asks for it again. */
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
        setLoading("failed"); // the page says so
        focusProblem();
      }
    },
    /** Sends the form once a way to pay is chosen; the answer starts the payment. */
    submit(way: PayWay, form: Record<string, string>): void {
      payment.opening(way);
      void fetcher.submit(form, { method: "post", action: "/checkout", defaultShouldRevalidate: false });
    },
  };
}
