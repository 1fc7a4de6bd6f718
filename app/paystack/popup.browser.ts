import type { PopupOpening, PopupOutcome } from "#app/payment-provider/in-browser.ts";
import { LOAD_WITHIN, loadLibrary, resetLibrary } from "./library.browser.ts";

let turn: { reference: string; end(outcome: PopupOutcome): void; loaded(): void } | undefined;

/**
 * The library keeps the first callbacks of a transaction. So these never change; each passes its calls on to the
 * current `turn`.
 */
const callbacks = {
  onLoad: () => turn?.loaded(),
  // A success of another payment is ignored; the server verifies this one in any case.
  onSuccess: ({ reference }: { reference: string }) => turn?.reference === reference && turn.end("success"),
  onCancel: () => turn?.end("closed"),
  onError: () => turn?.end("error"),
};

/**
 * Opens the provider's popup for a transaction that the server has opened. The outcome is a hint, never proof: a
 * transaction may have been paid although the popup was closed, and a success has to be verified by the server.
 * "timeout" and "error" mean that nothing could be loaded: the caller offers the provider's own page then.
 */
export async function openPopup({
  accessCode,
  reference,
  checkoutUrl,
  isWanted = () => true,
  onOpen,
  loadWithin = LOAD_WITHIN,
}: PopupOpening): Promise<PopupOutcome> {
  const pop = await loadLibrary({ accessCode, reference }, checkoutUrl).catch((error) => console.error(error));
  if (!isWanted()) return "closed";
  if (!pop) return "error";
  turn?.end("closed");
  onOpen?.();
  const outcome = await new Promise<PopupOutcome>((resolve) => {
    const timer = setTimeout(() => turn?.end("timeout"), loadWithin);
    turn = {
      reference,
      loaded: () => clearTimeout(timer),
      end: (how) => {
        clearTimeout(timer);
        turn = undefined;
        resolve(how);
      },
    };
    pop.resumeTransaction(accessCode, callbacks);
  });
  if (outcome === "error" || outcome === "timeout") {
    pop.cancelTransaction(); // else its overlay would cover the page
    resetLibrary();
  }
  return outcome;
}
