import { cartOwner } from "../guest-cart.browser.ts";
import { setState } from "./state.browser.ts";

type Listener = (text: string) => void;
let listener: Listener | undefined;

/** `onEnd` is to forget whose cart this was and to offer the login, with a text that says why. Returns how to unsubscribe. */
export function onSessionEnded(onEnd: Listener): () => void {
  listener = onEnd;
  return () => {
    listener = undefined;
  };
}

/** The server no longer knows the session of `owner`. */
export function endSession(owner: string | null, text: string): void {
  if (owner !== cartOwner()) return; // somebody else has signed in meanwhile
  setState({ isDrawerOpen: false });
  listener?.(text);
}
