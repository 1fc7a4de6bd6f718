import type { WalletPressOutcome } from "#app/payment-provider/in-browser.ts";
import { inTime, LOAD_WITHIN, loadLibrary, resetLibrary } from "./library.browser.ts";
import { NO_CONTAINER } from "./parameters.ts";

declare global {
  interface Window {
    ApplePaySession?: { supportsVersion(version: number): boolean; canMakePayments(): boolean };
  }
}

/** The version of Apple Pay that the library requires. */
const APPLE_PAY_VERSION = 6;
const BOX = "wallet-button";
const STYLES = { applePay: { width: "100%", height: "3.5rem", borderRadius: "2px", padding: "0px" } };

export function deviceHasWallet(): boolean {
  const { ApplePaySession: wallet } = window;
  return location.protocol === "https:" && !!wallet?.supportsVersion(APPLE_PAY_VERSION) && wallet.canMakePayments();
}

type Mounting = {
  accessCode: string;
  checkoutUrl: string;
  host: HTMLElement | null;
  /** Removes the button when it is aborted. */
  signal: AbortSignal;
  /**
   * Called after each press of the button. The outcome is a hint, never proof. After "failed" the button can be pressed
   * again.
   */
  onPressOutcome(outcome: WalletPressOutcome): void;
  within?: number;
};

let turn: Mounting["onPressOutcome"] | undefined;

/** As in popup.browser.ts: the library keeps the first callbacks that it was given. */
const callbacks = {
  onSuccess: () => turn?.("success"),
  onCancel: () => turn?.("failed"),
  onError: () => turn?.("failed"),
};

/**
 * Puts the library's wallet button into `host`, for a transaction that the server has opened. False if no wallet can
 * pay the transaction; throws if that cannot be determined.
 */
export async function mountWallet({
  accessCode,
  checkoutUrl,
  host,
  signal,
  onPressOutcome,
  within = LOAD_WITHIN,
}: Mounting): Promise<boolean> {
  if (!host?.isConnected) throw new Error(NO_CONTAINER);
  const pop = await loadLibrary({ accessCode }, checkoutUrl);
  signal.throwIfAborted();
  if (!pop) throw new Error("The wallet cannot be offered without an access code");
  const box = document.createElement("div");
  box.id = BOX;
  host.append(box);
  signal.addEventListener("abort", () => {
    turn = undefined;
    box.remove();
    // The library's frame may have loaded this transaction unseen. It would not report the loading to the popup again,
    // so the popup gets a new frame.
    pop.cancelTransaction();
    pop.checkoutIframe.remove();
    pop.backgroundIframe.remove();
    resetLibrary();
  });
  let isThere = false;
  const onElementsMount = (elements: object | null) => {
    isThere = elements !== null;
  };
  const request = { ...callbacks, accessCode, container: BOX, styles: STYLES, onElementsMount };
  await inTime(pop.paymentRequest(request), within, "The provider does not answer");
  signal.throwIfAborted();
  if (isThere) turn = onPressOutcome;
  box.querySelector("#apple-pay-button, apple-pay-button")?.setAttribute("aria-label", "Pay with Apple Pay");
  return isThere;
}
