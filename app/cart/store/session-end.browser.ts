import { cartOwner } from "../guest-cart.browser.ts";
import { setState } from "./state.browser.ts";

type Listener = (text: string) => void;
let listener: Listener | undefined;

/**
 * Sets the listener for the end of a session. `onEnd` gets a text with the reason; it has to forget the cart's owner
 * and offer the login. Returns the function to unsubscribe.
 */
export function onSessionEnded(onEnd: Listener): () => void {
  listener = onEnd;
  return () => {
    listener = undefined;
  };
}

/** Reports that the server does not accept the session of `owner` any more. */
export function endSession(owner: string | null, text: string): void {
  if (owner !== cartOwner()) return; // another shopper has signed in meanwhile
  setState({ isDrawerOpen: false });
  listener?.(text);
}
