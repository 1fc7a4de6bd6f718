import { useEffect, useSyncExternalStore } from "react";
import { onStored } from "#app/infra/storage.browser.ts";
import { type Cart, type CartLine, countUnits } from "./cart.ts";
import { cartOwner, guestItems, isGuest } from "./guest-cart.browser.ts";
import { withMerge } from "./projection.ts";
import { sendAgain } from "./store/changes.browser.ts";
import { sendRest } from "./store/queue.browser.ts";
import { followOwnersCart, refreshCart } from "./store/refresh.browser.ts";
import { keepServerCart, show } from "./store/server-cart.browser.ts";
import { addView, type CartState, getState, INITIAL, isShown, setState, subscribe } from "./store/state.browser.ts";
import { takeUnsent } from "./store/unsent.browser.ts";

export { forgetGuestCart, guestCartForSignIn } from "./guest-cart.browser.ts";
export { addToCart, restore, setQuantity } from "./store/changes.browser.ts";
export { applyMerge } from "./store/guest-merge.browser.ts";
export { refreshCart } from "./store/refresh.browser.ts";
export { onSessionEnded } from "./store/session-end.browser.ts";

// The browser's copy of the cart. A guest's lines are in local storage, a signed-in shopper's on the server; both are
// shown with prices from the server. A change is visible at once, applied to the cart that the server has sent last.

let isStarted = false;

function start(): void {
  isStarted = true;
  if (isGuest()) setState({ count: countUnits(guestItems()) });
  followOwner();
  addEventListener("pagehide", sendRest);
  for (const change of takeUnsent(cartOwner())) void sendAgain(change);
  onStored((key, isElsewhere) => {
    followOwner();
    if (!isElsewhere || (key !== "cart" && key !== "cartUserId" && key !== null)) return;
    show();
    if (isShown()) void refreshCart();
  });
}

let owner: string | null = null;

/** Switches to the cart of another shopper after a sign-in or sign-out in this tab or another one. */
function followOwner(): void {
  if (owner === cartOwner()) return;
  owner = cartOwner();
  setState({ version: 0, removed: undefined });
  show();
  followOwnersCart();
}

function onChange(listener: () => void): () => void {
  if (!isStarted) start();
  return subscribe(listener);
}

function useCartState<T>(read: (state: CartState) => T): T {
  return useSyncExternalStore(
    onChange,
    () => read(getState()),
    () => read(INITIAL),
  );
}

/** The number of units in the cart; undefined while it is unknown. */
export function useCartCount(): number | undefined {
  return useCartState(({ count }) => count);
}

/** The newest version of the cart that this browser knows; 0 before the first one. */
export function useCartVersion(): number {
  return useCartState(({ version }) => version);
}

/** Stores the count from the response of /api/me. */
export function rememberCount(count: number): void {
  setState({ count });
}

/**
 * The cart, kept up to date while the calling component is mounted. `given` is the cart that the server rendered into
 * the page, if any.
 */
export function useCart(given?: Cart): { cart: Cart | undefined; removed: CartLine | undefined; failed: boolean } {
  const { cart, removed, failed, capped } = useCartState((state) => state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cart of the page counts once, when it arrives
  useEffect(() => {
    const removeView = addView();
    if (given) keepServerCart(given, cartOwner());
    show();
    void refreshCart();
    addEventListener("online", refreshCart);
    return () => {
      removeEventListener("online", refreshCart);
      removeView();
      setState({ removed: undefined });
    };
  }, []);
  return { cart: cart && capped.length > 0 ? withMerge(cart, capped) : (cart ?? given), removed, failed };
}

export function useCartDrawer(): { isOpen: boolean; open(): void; close(): void } {
  const isOpen = useCartState(({ isDrawerOpen }) => isDrawerOpen);
  return { isOpen, open: () => setState({ isDrawerOpen: true }), close: () => setState({ isDrawerOpen: false }) };
}
