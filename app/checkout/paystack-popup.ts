import type PaystackPop from "@paystack/inline-js";
import { parameterProblems } from "./payment-parameters.ts";

export type PopupOutcome = "success" | "closed" | "error" | "timeout";
type Opening = { accessCode: string; reference: string; checkoutUrl: string; loadWithin?: number };

const OFFICIAL = "https://checkout.paystack.com";
const LOAD_WITHIN = 15_000;

/** One instance for the page: two would hear each other's messages. */
let popup: PaystackPop | undefined;
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
 * been paid, and a success is asked of the server. "timeout": nothing could be loaded, so offer the provider's own page.
 */
export async function openPaystack({
  accessCode,
  reference,
  checkoutUrl,
  loadWithin = LOAD_WITHIN,
}: Opening): Promise<PopupOutcome> {
  const problems = parameterProblems({ accessCode, reference });
  if (problems) {
    console.error(problems.message, problems.issues);
    return "error";
  }
  const { default: Pop } = await import("@paystack/inline-js");
  popup ??= framedAt(checkoutUrl, () => new Pop());
  turn?.end("closed");
  const pop = popup;
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
    popup = undefined; // its frame stays dead: the next try makes a new one
  }
  return outcome;
}

/**
 * The library knows one address for its frame. Another one (the sandbox) must stand there before the frame enters the page: a moment later
 * the browser may already have asked the provider.
 */
function framedAt(checkoutUrl: string, make: () => PaystackPop): PaystackPop {
  if (checkoutUrl === OFFICIAL) return make();
  const { body } = document;
  body.appendChild = <T extends Node>(node: T): T => {
    if (node instanceof HTMLIFrameElement && node.src.startsWith(OFFICIAL))
      node.src = node.src.replace(OFFICIAL, checkoutUrl);
    return Node.prototype.appendChild.call(body, node) as T;
  };
  try {
    return make();
  } finally {
    Reflect.deleteProperty(body, "appendChild");
  }
}
