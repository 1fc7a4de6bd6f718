import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as messages from "#app/messages.ts";
import type { WalletOutcome } from "#app/payment-provider/in-browser.ts";
import { POPUPS } from "#app/providers/popups.browser.ts";
import { forgetDraft } from "#app/shipping/drafts.browser.ts";
import { useIsHere } from "#app/ui/frame/with-page.browser.ts";
import { toast } from "#app/ui/toaster.tsx";
import type { PayState, PayWay } from "./dialog.tsx";
import { askServer, followPayment } from "./follow.browser.ts";
import { unsettled } from "./unsettled.ts";

export type Started = { reference: string; provider: string; accessCode: string; authorizationUrl: string };

const AFTER_PAYMENT = 1000;

/**
 * Callbacks for the end of a payment. `onUnpaid`: the shopper closed it, and the provider says that nothing was paid.
 * `onAwaited`: a bank transfer is pending.
 */
type Ends = { close(): void; onPaid(): void; onAwaited(): void; onUnpaid(): void };

/** An opened payment until its end: the popup or wallet, the server's answers, and the state that the dialog shows. */
export function usePayment(
  checkoutUrl: string,
  { close, onPaid, onAwaited, onUnpaid }: Ends,
): {
  state: PayState;
  /** Called when the shopper has chosen a way to pay. `pay` follows once the server has opened the payment. */
  opening(way: PayWay): void;
  pay(started: Started): Promise<void>;
  handleWallet(outcome: WalletOutcome): Promise<void>;
  reset(): void;
  /** Called when the shopper closes the dialog. */
  leave(): void;
} {
  const [state, setState] = useState<PayState>({ step: "choose" });
  const way = useRef<PayWay>("popup");
  const isHere = useIsHere();
  /** Counts the shopper's attempts, so that the result of an abandoned one is ignored. */
  const tries = useRef(0);
  const thisTry = () => {
    const mine = tries.current;
    return () => tries.current === mine;
  };

  const pay = async ({ reference, provider, accessCode, authorizationUrl }: Started) => {
    if (state.step !== "opening") return; // the dialog was closed before the server answered
    if (way.current === "wallet") return setState({ step: "wallet", reference, accessCode });
    const openPopup = POPUPS[provider];
    if (!openPopup) return location.assign(authorizationUrl);
    const isWanted = thisTry();
    const onOpen = () => setState({ step: "popup" });
    const popupOutcome = await openPopup({ accessCode, reference, checkoutUrl, isWanted, onOpen });
    if (!isWanted()) return;
    if (popupOutcome === "timeout" || popupOutcome === "error") {
      setState({ step: "opening" });
      const outcome = await askServer(reference, "GET");
      if (!isWanted()) return;
      if (outcome === "sold" || outcome === "pending" || outcome === "refunding") return follow(reference, true);
      const text = `We couldn’t load the payment window.${outcome === "unpaid" ? " Nothing was charged." : ""}`;
      return setState({ step: "stuck", text, href: authorizationUrl, hrefText: "Pay on the provider's page" });
    }
    await follow(reference, popupOutcome === "closed");
  };

  const handleWallet = async (walletOutcome: WalletOutcome) => {
    if (state.step !== "wallet" || state.asking) return;
    const { reference } = state;
    if (walletOutcome === "success") return follow(reference, false);
    if (walletOutcome === "broken") return setState({ step: "stuck", text: messages.payment.wallet });
    if (walletOutcome === "none") {
      console.debug(messages.payment.noWallet);
      return setState({ step: "stuck", text: messages.payment.noWallet });
    }
    // The wallet failed, or its response was lost. If nothing was paid, any way to pay may follow: all lead to the same
    // transaction, which can be charged only once.
    setState({ ...state, asking: true });
    const outcome = await askServer(reference, "GET");
    if (outcome !== "unpaid" && outcome !== "unavailable") return follow(reference, false);
    // The dialog may have been closed and opened again meanwhile.
    setState((now) => (now.step === "wallet" ? { ...now, asking: false, problem: messages.payment.wallet } : now));
  };

  const follow = async (reference: string, closed: boolean) => {
    const isWanted = thisTry();
    setState({ step: "confirming" });
    const tell = (stuck: ReturnType<typeof unsettled>) => {
      setState(stuck);
      if (!isHere.current) toast.error(stuck.text);
    };
    const onUnrecorded = () => tell(unsettled("unavailable", reference, closed));
    const outcome = await followPayment(reference, { closed, isWanted, onUnrecorded });
    if (!isWanted()) return;
    if (outcome === "sold") {
      setState({ step: "paid" });
      forgetDraft();
      onPaid();
      if (!isHere.current) return void toast.success(messages.payment.done);
      setTimeout(() => {
        close();
        if (isHere.current) location.assign("/");
      }, AFTER_PAYMENT);
    } else if (outcome === "pending" || (closed && outcome === "unpaid")) {
      setState({ step: "choose" });
      close();
      if (outcome === "pending") onAwaited();
      else onUnpaid();
    } else tell(unsettled(outcome, reference, closed));
  };

  const reset = () => {
    tries.current++;
    setState({ step: "choose" });
  };
  const leave = () => {
    if (state.step === "opening") reset();
    if (state.step === "stuck") setState({ step: "choose" }); // polling goes on; a result is shown
    if (state.step !== "wallet" || state.asking) return close();
    // As after closing the popup: the dialog that the browser has just closed opens again to show the result.
    flushSync(() => setState({ step: "popup" }));
    void follow(state.reference, true);
  };
  const opening = (chosen: PayWay) => {
    way.current = chosen;
    tries.current++;
    setState({ step: "opening" });
  };
  return { state, opening, pay, handleWallet, reset, leave };
}
