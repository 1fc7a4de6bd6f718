import { afterWrite, type Cart, countUnits, type Written } from "../cart.ts";
import { cartOwner, guestItems, isGuest } from "../guest-cart.browser.ts";
import type { GuestItem } from "../guest-item.ts";
import { type Change, guestView, project, storedView } from "../projection.ts";
import { getState, setState } from "./state.browser.ts";

/**
 * The cart as the server last sent it, with its owner: a user's id, or null for a guest's cart, for which the server
 * provides only prices and stock.
 */
let latest: { cart: Cart; owner: string | null } | undefined;
/** Later changes by the shopper that the server has not confirmed yet. */
let pending: Change[] = [];

function current(): Cart | undefined {
  if (latest?.owner !== cartOwner()) latest = undefined;
  return latest?.cart;
}

/** Keeps a cart from the server, unless it is older than the known one or belongs to another owner. */
export function keepServerCart(cart: Cart, owner: string | null): void {
  if (owner !== cartOwner() || cart.version < (current()?.version ?? 0)) return;
  latest = { cart, owner };
}

/**
 * Applies a write to the known cart. Returns false if that is impossible, because the known cart is missing or not the
 * version before this write; it then has to be loaded.
 */
export function keepWritten(written: Written, owner: string | null): boolean {
  if (owner !== cartOwner()) return true;
  setState({ version: Math.max(getState().version, written.version), count: written.count });
  const known = current();
  const cart = known && afterWrite(known, written);
  if (cart) latest = { cart, owner };
  return cart !== undefined;
}

/** Drops the known cart, so that it counts as not loaded until the server sends it again. */
export function forgetServerCart(): void {
  latest = undefined;
}

/** Whether the server has announced a newer cart than the known one. */
export function isOutdated(): boolean {
  return getState().version > (current()?.version ?? 0);
}

export function hasPending(): boolean {
  return pending.length > 0;
}

export function setPending(changes: Change[]): void {
  pending = changes;
  show();
}

/**
 * The server's cart with the pending changes applied. Without one, a guest who is offline sees the cart from local
 * storage.
 */
function shown(known: Cart | undefined, items: GuestItem[]): Cart | undefined {
  if (known) return isGuest() ? guestView(known, items) : project(known, pending);
  return isGuest() && !navigator.onLine ? storedView(items) : undefined;
}

/** Publishes the cart for display: the server's cart with the pending changes applied. */
export function show(failed = false): void {
  const items = isGuest() ? guestItems() : [];
  const known = current();
  const cart = shown(known, items);
  // If the known cart is outdated, the announced count is newer than its lines.
  const isStale = known && pending.length === 0 && known.version < getState().version;
  const counted = isGuest() ? items : isStale ? undefined : cart?.lines;
  setState({ cart, failed, count: counted ? countUnits(counted) : getState().count });
}
