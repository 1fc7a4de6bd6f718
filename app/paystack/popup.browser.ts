import { LOAD_WITHIN, loadLibrary, resetLibrary } from "./library.browser.ts";

export type PopupOutcome = "success" | "closed" | "error" | "timeout";
type Opening = {
  accessCode: string;
  reference: string;
  checkoutUrl: string;
  /** Asked when the library has come: without it nothing opens, as if the popup had been closed. */
  isWanted?(): boolean;
  /** Told when the popup begins to cover the page; until then the library is still on its way. */
  onOpen?(): void;
  loadWithin?: number;
};

let turn: { reference: string; end(outcome: PopupOutcome): void; loaded(): void } | undefined;

/** The library keeps the first callbacks it was given for a transaction: these stay the same and look up whose turn it is. */
const callbacks = {
  onLoad: () => turn?.loaded(),
  // A success of another payment is none of ours; the server is asked about ours in any case.
  onSuccess: ({ reference }: { reference: string }) => turn?.reference === reference && turn.end("success"),
  onCancel: () => turn?.end("closed"),
  onError: () => turn?.end("error"),
};

/**
 * Opens the provider's popup for a transaction that the server has made. What it answers is a hint, never proof: a popup closed may have
 * been paid, and a success is asked of the server. "timeout" and "error": nothing could be loaded, so offer the provider's own page.
 */
export async function openPopup({
  accessCode,
  reference,
  checkoutUrl,
  isWanted = () => true,
  onOpen,
  loadWithin = LOAD_WITHIN,
}: Opening): Promise<PopupOutcome> {
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
