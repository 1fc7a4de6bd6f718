import type { Cart, CartLine } from "../cart.ts";

/** What the page shows of the cart. */
export type CartState = {
  count: number;
  /** The newest version that the server has announced; 0 while none. */
  version: number;
  /** Undefined until it has been loaded. */
  cart: Cart | undefined;
  failed: boolean;
  isDrawerOpen: boolean;
  /** What was removed last and can be restored. */
  removed: CartLine | undefined;
};

export const INITIAL: CartState = {
  count: 0,
  version: 0,
  cart: undefined,
  failed: false,
  isDrawerOpen: false,
  removed: undefined,
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

/** Returns how to unsubscribe. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let views = 0;

/** Whether any part of the page shows the lines of the cart: else only their number is needed. */
export function isShown(): boolean {
  return views > 0;
}

/** A part of the page shows the lines until the returned function is called. */
export function addView(): () => void {
  views++;
  return () => {
    views--;
  };
}
