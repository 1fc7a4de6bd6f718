import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as messages from "#app/messages.ts";
import { openPopup } from "#app/paystack/popup.browser.ts";
import type { WalletOutcome } from "#app/paystack/wallet-button.tsx";
import { forgetDraft } from "#app/shipping/drafts.browser.ts";
import { useIsHere } from "#app/ui/frame/with-page.browser.ts";
import { toast } from "#app/ui/toaster.tsx";
import type { PayState, PayWay } from "./dialog.tsx";
import { askServer, followPayment } from "./follow.browser.ts";
import { unsettled } from "./unsettled.ts";

export type Started = { reference: string; accessCode: string; authorizationUrl: string };

const AFTER_PAYMENT = 1000;

/** What a payment may come to. `onUnpaid`: closed, and the provider says that nothing was paid. `onAwaited`: its money is on its way. */
type Ends = { close(): void; onPaid(): void; onAwaited(): void; onUnpaid(): void };

/** From an opened payment to its end: the popup or the wallet, what the server says of it, and what the shopper sees of that. */
export function usePayment(
  checkoutUrl: string,
  { close, onPaid, onAwaited, onUnpaid }: Ends,
): {
  state: PayState;
  /** The shopper has chosen; `pay` follows when the server has opened the payment. */
  opening(way: PayWay): void;
  pay(started: Started): Promise<void>;
  handleWallet(outcome: WalletOutcome): Promise<void>;
  reset(): void;
  /** The dialog was closed. */
  leave(): void;
} {
  const [state, setState] = useState<PayState>({ step: "choose" });
  const way = useRef<PayWay>("popup");
  const isHere = useIsHere();
  /** Counts the shopper's tries: what comes of one that was left for another is no news any more. */
  const tries = useRef(0);
  const thisTry = () => {
    const mine = tries.current;
    return () => tries.current === mine;
  };

  const pay = async ({ reference, accessCode, authorizationUrl }: Started) => {
    if (state.step !== "opening") return; // the dialog was closed before the server answered
    if (way.current === "wallet") return setState({ step: "wallet", reference, accessCode });
    const isWanted = thisTry();
    const onOpen = () => setState({ step: "popup" });
    const outcome = await openPopup({ accessCode, reference, checkoutUrl, isWanted, onOpen });
    if (!isWanted()) return;
    if (outcome === "timeout" || outcome === "error") {
      setState({ step: "opening" });
      const end = await askServer(reference, "GET");
      if (!isWanted()) return;
      if (end === "sold" || end === "pending" || end === "refunding") return follow(reference, true);
      const text = `The payment window could not be loaded.${end === "unpaid" ? " Nothing was charged." : ""}`;
      return setState({ step: "stuck", text, href: authorizationUrl, hrefText: "Pay on the provider's page" });
    }
    await follow(reference, outcome === "closed");
  };

  const handleWallet = async (outcome: WalletOutcome) => {
    if (state.step !== "wallet" || state.asking) return;
    const { reference } = state;
    if (outcome === "success") return follow(reference, false);
    if (outcome === "broken") return setState({ step: "stuck", text: messages.payment.wallet });
    if (outcome === "none") {
      console.debug(messages.payment.noWallet);
      return setState({ step: "stuck", text: messages.payment.noWallet });
    }
    // Failed, or its answer was lost. When nothing was paid, each way to pay leads to the same transaction, which can be charged once.
    setState({ ...state, asking: true });
    const end = await askServer(reference, "GET");
    if (end !== "unpaid" && end !== "unavailable") return follow(reference, false);
    // Meanwhile the dialog may have been closed and opened again.
    setState((now) => (now.step === "wallet" ? { ...now, asking: false, problem: messages.payment.wallet } : now));
  };

  const follow = async (reference: string, closed: boolean) => {
    const isWanted = thisTry();
    setState({ step: "confirming" });
    const tell = (news: ReturnType<typeof unsettled>) => {
      setState(news);
      if (!isHere.current) toast.error(news.text);
    };
    const onUnrecorded = () => tell(unsettled("unavailable", reference, closed));
    const end = await followPayment(reference, { closed, isWanted, onUnrecorded });
    if (!isWanted()) return;
    if (end === "sold") {
      setState({ step: "paid" });
      forgetDraft();
      onPaid();
      if (!isHere.current) return void toast.success(messages.payment.done);
      setTimeout(() => {
        close();
        if (isHere.current) location.assign("/");
      }, AFTER_PAYMENT);
    } else if (end === "pending" || (closed && end === "unpaid")) {
      setState({ step: "choose" });
      close();
      if (end === "pending") onAwaited();
      else onUnpaid();
    } else tell(unsettled(end, reference, closed));
  };

  const reset = () => {
    tries.current++;
    setState({ step: "choose" });
  };
  const leave = () => {
    if (state.step === "opening") reset();
    if (state.step === "stuck") setState({ step: "choose" }); // it is asked on, and said when there is news
    if (state.step !== "wallet" || state.asking) return close();
    // As when the popup is closed: the dialog that the browser has just closed comes again, and says what is asked.
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
