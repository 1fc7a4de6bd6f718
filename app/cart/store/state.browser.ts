import type { Cart, CartLine } from "../cart.ts";
import type { Line } from "../merge.ts";

/** The cart's state for display. */
export type CartState = {
  /** The number of units; undefined while it is unknown. */
  count: number | undefined;
  /** The newest version that the server has announced; 0 before the first one. */
  version: number;
  /** Undefined until the cart is loaded. */
  cart: Cart | undefined;
  failed: boolean;
  isDrawerOpen: boolean;
  /** The line that was removed last and can be restored. */
  removed: CartLine | undefined;
  /** Lines for which the stock was too low when two carts were merged. */
  capped: readonly Line[];
};

export const INITIAL: CartState = {
  count: undefined,
  version: 0,
  cart: undefined,
  failed: false,
  isDrawerOpen: false,
  removed: undefined,
  capped: [],
};

let state = INITIAL;
const listeners = new Set<() => void>();

export function getState(): CartState {
  return state;
}

export function setState(next: Partial<CartState>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** Returns the function to unsubscribe. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let views = 0;

/** Whether any component shows the lines of the cart. If not, only the number of units is needed. */
export function isShown(): boolean {
  return views > 0;
}

/** Marks the lines as shown until the returned function is called. */
export function addView(): () => void {
  views++;
  return () => {
    views--;
  };
}
