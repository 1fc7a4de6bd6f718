import * as messages from "#app/messages.ts";
import type { Cart } from "../cart.ts";
import { cartOwner, guestItems, isGuest, writeGuestItems } from "../guest-cart.browser.ts";
import { withinStock } from "../projection.ts";
import { mergeRest } from "./guest-merge.browser.ts";
import { followCart, type LiveCart } from "./live.browser.ts";
import { request } from "./request.browser.ts";
import { hasPending, isOutdated, keepServerCart, show } from "./server-cart.browser.ts";
import { endSession } from "./session-end.browser.ts";
import { isShown, setState } from "./state.browser.ts";

let loading: Promise<void> | undefined;
let isWantedAgain = false;

/** Loads the cart anew, as when the drawer opens or somebody signs in. One request at a time; a call during it leads to one more. */
export function refreshCart(): Promise<void> {
  if (loading) isWantedAgain = true;
  else followOwnersCart();
  loading ??= load().finally(() => {
    loading = undefined;
  });
  return loading;
}

/** Subscribes to the cart of who is signed in, and sees to it that it has what the browser's guest cart still holds. */
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
    const { cart, isSignedOut } = await request(owner ? { intent: "show" } : { intent: "price", items: guestItems() });
    if (isSignedOut) {
      endSession(owner, messages.session.ended);
      isWantedAgain = isGuest();
    }
    if (cart) keepServerCart(cart, owner);
    if (cart && isGuest()) capGuestItems(cart);
    show(!cart);
  } while (isWantedAgain);
}

/** Caps what is in local storage now: it may have changed since the request. */
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

/** Loads the cart that was announced, where it is shown; an answer that is still to come carries it anyway. */
export function refreshIfOutdated(): void {
  if (isShown() && !hasPending() && isOutdated()) void refreshCart();
}
