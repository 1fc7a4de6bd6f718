import type PaystackPop from "@paystack/inline-js";
import { parameterProblems } from "./parameters.ts";

const OFFICIAL = "https://checkout.paystack.com";

/** One instance for the page: two would receive each other's messages. */
let instance: PaystackPop | undefined;

/** How long the provider may take to answer, in milliseconds. */
export const LOAD_WITHIN = 15_000;

/**
 * Loads the provider's library on first use. Undefined, with a message on the console, if the library would not accept
 * the parameters. Throws if it cannot be loaded within 15 s.
 */
export async function loadLibrary(parameters: object, checkoutUrl: string): Promise<PaystackPop | undefined> {
  const problems = parameterProblems(parameters);
  if (problems) {
    console.error(problems.message, problems.issues);
    return;
  }
  const { default: Pop } = await inTime(
    import("@paystack/inline-js"),
    LOAD_WITHIN,
    "The provider's library does not come",
  );
  instance ??= framedAt(checkoutUrl, () => new Pop());
  return instance;
}

/** Resolves like `loading`. Rejects with the message `why` if that takes longer than `within` milliseconds. */
export async function inTime<T>(loading: Promise<T>, within: number, why: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(why)), within);
  });
  return Promise.race([loading, timeout]).finally(() => clearTimeout(timer));
}

/** Discards the library: a frame that has failed to load never recovers, so the next caller gets a new instance. */
export function resetLibrary(): void {
  instance = undefined;
}

/**
 * Creates the library with another address for its frame (the sandbox) in place of the fixed one. The address is
 * replaced before the frame enters the page: after that, the browser may already have contacted the provider.
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
