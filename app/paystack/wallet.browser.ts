import { inTime, LOAD_WITHIN, loadLibrary, resetLibrary } from "./library.browser.ts";
import { NO_CONTAINER } from "./parameters.ts";

declare global {
  interface Window {
    ApplePaySession?: { supportsVersion(version: number): boolean; canMakePayments(): boolean };
  }
}

/** The one that the library asks for. */
const APPLE_PAY_VERSION = 6;
const BOX = "wallet-button";
const STYLES = { applePay: { width: "100%", height: "3.5rem", borderRadius: "2px", padding: "0px" } };

export function deviceHasWallet(): boolean {
  const { ApplePaySession: wallet } = window;
  return location.protocol === "https:" && !!wallet?.supportsVersion(APPLE_PAY_VERSION) && wallet.canMakePayments();
}

export type WalletEnd = "success" | "failed";
type Mounting = {
  accessCode: string;
  checkoutUrl: string;
  host: HTMLElement | null;
  /** Takes the button away. */
  signal: AbortSignal;
  /** Told after each press of the button: a hint, never proof. After "failed" it can be pressed again. */
  onEnd(how: WalletEnd): void;
  within?: number;
};

let turn: Mounting["onEnd"] | undefined;

/** As in popup.browser.ts: the library keeps the first it was given. */
const callbacks = {
  onSuccess: () => turn?.("success"),
  onCancel: () => turn?.("failed"),
  onError: () => turn?.("failed"),
};

/**
 * Puts the library's wallet button for a transaction that the server has made into `host`. False when no wallet can pay it; throws when
 * that cannot be found out.
 */
export async function mountWallet({
  accessCode,
  checkoutUrl,
  host,
  signal,
  onEnd,
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
    // Its frame may have loaded this transaction unseen, and would not say so again to the popup: that gets a frame of its own.
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
  if (isThere) turn = onEnd;
  box.querySelector("#apple-pay-button, apple-pay-button")?.setAttribute("aria-label", "Pay with Apple Pay");
  return isThere;
}
