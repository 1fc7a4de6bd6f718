import { afterWrite, type Cart, countUnits, type Written } from "../cart.ts";
import { cartOwner, guestItems, isGuest } from "../guest-cart.browser.ts";
import { type Change, guestView, project } from "../projection.ts";
import { getState, setState } from "./state.browser.ts";

/** The cart as the server last sent it, with its owner: a user's id, or null for a guest's, which the server only prices. */
let latest: { cart: Cart; owner: string | null } | undefined;
/** The shopper's later changes that the server has not answered yet. */
let pending: Change[] = [];

function current(): Cart | undefined {
  if (latest?.owner !== cartOwner()) latest = undefined;
  return latest?.cart;
}

/** Keeps a cart that the server has sent, unless it is older than the known one or somebody else's. */
export function keepServerCart(cart: Cart, owner: string | null): void {
  if (owner !== cartOwner() || cart.version < (current()?.version ?? 0)) return;
  latest = { cart, owner };
}

/** Applies what a write did to the known cart; false: the known cart is not the one before this write, and must be asked for. */
export function keepWritten(written: Written, owner: string | null): boolean {
  if (owner !== cartOwner()) return true;
  setState({ version: Math.max(getState().version, written.version), count: written.count });
  const known = current();
  const cart = known && afterWrite(known, written);
  if (cart) latest = { cart, owner };
  return cart !== undefined;
}

/** Until the server has sent it anew, the cart counts as not loaded. */
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

/** Shows the server's cart with the shopper's own changes applied to it. */
export function show(failed = false): void {
  const items = isGuest() ? guestItems() : [];
  const known = current();
  const cart = known && (isGuest() ? guestView(known, items) : project(known, pending));
  // The announced number is newer than that of an outdated cart.
  const isStale = known && pending.length === 0 && known.version < getState().version;
  const counted = isGuest() ? items : isStale ? undefined : cart?.lines;
  setState({ cart, failed, count: counted ? countUnits(counted) : getState().count });
}
