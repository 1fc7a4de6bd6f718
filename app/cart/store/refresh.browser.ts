import * as messages from "#app/messages.ts";
import type { Cart } from "../cart.ts";
import { cartOwner, guestItems, isGuest, writeGuestItems } from "../guest-cart.browser.ts";
import { slimItems } from "../guest-item.ts";
import { withinStock } from "../projection.ts";
import { mergeRest } from "./guest-merge.browser.ts";
import { followCart, type LiveCart } from "./live.browser.ts";
import { request } from "./request.browser.ts";
import { hasPending, isOutdated, keepServerCart, show } from "./server-cart.browser.ts";
import { endSession } from "./session-end.browser.ts";
import { isShown, setState } from "./state.browser.ts";

let loading: Promise<void> | undefined;
let isWantedAgain = false;

/**
 * Loads the cart again, for example when the drawer opens or after a sign-in. Only one request runs at a time; a call
 * during a request causes one more afterwards.
 */
export function refreshCart(): Promise<void> {
  if (loading) isWantedAgain = true;
  else followOwnersCart();
  loading ??= load().finally(() => {
    loading = undefined;
  });
  return loading;
}

/** Subscribes to the signed-in shopper's cart, and merges the rest of the browser's guest cart into it. */
export function followOwnersCart(): void {
  followCart(cartOwner(), onAnnounced);
  void mergeRest().then((hasChanged) => {
    if (hasChanged && isShown()) void refreshCart();
  });
}

async function load(): Promise<void> {
  do {
    isWantedAgain = false;
    const owner = cartOwner();
    const { cart, isSignedOut } = await request(
      owner ? { intent: "show" } : { intent: "price", items: slimItems(guestItems()) },
    );
    if (isSignedOut) {
      endSession(owner, messages.session.ended);
      isWantedAgain = isGuest();
    }
    if (cart) keepServerCart(cart, owner);
    if (cart && isGuest()) capGuestItems(cart);
    show(!cart);
  } while (isWantedAgain);
}

/** Caps the items that are in local storage now, which may have changed since the request was sent. */
function capGuestItems(cart: Cart): void {
  const items = guestItems();
  const capped = withinStock(items, cart);
  if (JSON.stringify(capped) !== JSON.stringify(items)) writeGuestItems(capped);
}

function onAnnounced({ version, count }: LiveCart): void {
  if (isGuest()) return;
  setState(hasPending() ? { version } : { version, count });
  refreshIfOutdated();
}

/**
 * Loads the announced cart if it is visible. Not while changes are pending: their responses bring the new cart anyway.
 */
export function refreshIfOutdated(): void {
  if (isShown() && !hasPending() && isOutdated()) void refreshCart();
}
