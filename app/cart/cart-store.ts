import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { Product } from "#app/catalog/product.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import { messages } from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { afterChange, type Cart, type CartLine, type Change, countUnits } from "./cart.ts";
import { type GuestItem, guestItem, PLACEHOLDER_IMAGE, readGuestCart } from "./guest-item.ts";

/**
 * The cart in the browser. A guest's lines live in local storage `cart`; a signed-in shopper's on the server. Both are shown as the server
 * prices them: sums are never computed from what the browser remembers. Local storage `cartUserId` says whose cart it is.
 */
/** `version`: the newest one that the live stream has told of. */
type State = { count: number; version: number; cart: Cart | undefined; failed: boolean; open: boolean };

const NOTHING: State = { count: 0, version: 0, cart: undefined, failed: false, open: false };
let state = NOTHING;
let started = false;
const listeners = new Set<() => void>();

function change(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (!started) start();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function start(): void {
  started = true;
  if (isGuest()) state = { ...state, count: countUnits(guestItems()) };
  followLive();
  addEventListener("storage", (event) => {
    if (event.key === "cart" && isGuest()) change({ count: countUnits(guestItems()) });
    if (event.key === "cart" || event.key === "cartUserId") void refreshIfShown();
  });
}

let following = false;

/** One stream a browser: the tab that holds the lock listens and hands on what it hears; when it closes, another one takes over. */
function followLive(): void {
  if (following || isGuest() || typeof BroadcastChannel === "undefined" || !navigator.locks) return;
  following = true;
  const channel = new BroadcastChannel("irepo-cart");
  const heard = ({ version, count }: { version: number; count: number }) => {
    if (isGuest()) return;
    change({ count, version });
    if (shown > 0 && version !== state.cart?.version) void refreshCart();
  };
  channel.onmessage = ({ data }) => heard(data);
  void navigator.locks.request(
    "irepo-live",
    () =>
      new Promise<void>((resolve) => {
        const source = new EventSource("/api/live");
        source.onmessage = (event) => {
          const now = JSON.parse(event.data);
          heard(now);
          channel.postMessage(now);
        };
        // Refused for good (signed out): the lock is given back. Otherwise the browser connects again by itself.
        source.onerror = () => source.readyState === EventSource.CLOSED && resolve();
      }),
  );
}

function isGuest(): boolean {
  return !localStorage.getItem("cartUserId");
}

function guestItems(): GuestItem[] {
  return readGuestCart(localStorage.getItem("cart"));
}

/** The name of this guest cart: bringing the same one along twice adds nothing twice. */
export function guestCartForSignIn(): { guestCart: string; mergeId: string } {
  const items = isGuest() ? guestItems() : [];
  if (items.length === 0) return { guestCart: "", mergeId: "" };
  const mergeId = localStorage.getItem("cartMergeId") ?? crypto.randomUUID();
  localStorage.setItem("cartMergeId", mergeId);
  return { guestCart: JSON.stringify(items), mergeId };
}

export function forgetGuestCart(): void {
  localStorage.removeItem("cart");
  localStorage.removeItem("cartMergeId");
}

function writeGuest(items: GuestItem[]): void {
  localStorage.setItem("cart", JSON.stringify(items));
  localStorage.removeItem("cartMergeId"); // another cart than the one that may have been brought along
  change({ count: countUnits(items) });
}

let asked = 0;

/** Asks the server; an answer that a newer question has overtaken is dropped. */
async function ask(body: Record<string, unknown>): Promise<{ problem?: string }> {
  const turn = ++asked;
  try {
    const response = await fetch("/api/cart", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const answer = (await response.json()) as { cart?: Cart; change?: Change; problem?: string };
    if (turn === asked && answer.cart) {
      const { cart } = answer;
      change({ cart, failed: false, count: isGuest() ? state.count : countUnits(cart.lines) });
    }
    if (turn === asked && answer.change) {
      const { count, version } = answer.change;
      change({
        count,
        version,
        failed: false,
        cart: (state.cart && afterChange(state.cart, answer.change)) ?? state.cart,
      });
    }
    if (turn === asked && !answer.cart && shown > 0 && state.cart?.version !== answer.change?.version)
      return { ...(await ask({ intent: "show" })), problem: answer.problem };
    return { problem: answer.problem };
  } catch {
    if (turn === asked) change({ failed: true });
    return { problem: messages.form.unavailable };
  }
}

/** Loads the cart anew, as when the drawer opens or somebody signs in. */
export async function refreshCart(): Promise<void> {
  if (!isGuest()) {
    followLive();
    await ask({ intent: "show" });
    return;
  }
  const items = guestItems();
  await ask({ intent: "price", items });
  if (state.cart && !state.failed) adoptServerQuantities(items, state.cart);
}

/** What the server capped is capped in local storage too (ruling R16). */
function adoptServerQuantities(items: GuestItem[], cart: Cart): void {
  const capped = items.map((item) => ({ ...item, quantity: lineOf(cart, item)?.quantity ?? item.quantity }));
  if (JSON.stringify(capped) !== JSON.stringify(items)) writeGuest(capped);
}

function lineOf(cart: Cart, item: GuestItem): CartLine | undefined {
  return cart.lines.find((line) => line.id === item.id && line.size === item.selectedSize && line.color === item.color);
}

let shown = 0;
async function refreshIfShown(): Promise<void> {
  if (shown > 0) await refreshCart();
}

/** Puts `quantity` more of a size into the cart, at most what is in stock. Returns whether anything went in. */
export async function addToCart(product: Product, size: string, quantity: number): Promise<boolean> {
  if (!isGuest()) {
    const { problem } = await ask({ intent: "add", id: product.id, size, quantity });
    if (problem) toast.error(problem);
    return !problem;
  }
  const items = guestItems();
  const available = product.sizes.find((one) => one.size === size)?.available ?? 0;
  const held = items.find(
    (item) => item.id === product.id && item.selectedSize === size && item.color === product.color,
  );
  const sum = Math.min((held?.quantity ?? 0) + quantity, available);
  const image = product.images[0] ? pictureUrl(product.images[0], 320, "jpg") : PLACEHOLDER_IMAGE;
  if (held) held.quantity = sum;
  else items.push(guestItem(product, size, sum, image, new Date().toISOString()));
  writeGuest(items);
  return true;
}

/** Sets a line's quantity; 0 removes it. */
export async function setQuantity(line: CartLine, quantity: number): Promise<void> {
  if (!isGuest()) {
    const body = quantity === 0 ? { intent: "remove" } : { intent: "set", quantity };
    const { problem } = await ask({ ...body, id: line.id, size: line.size });
    if (problem) toast.error(problem);
    return;
  }
  const same = (item: GuestItem) => item.id === line.id && item.selectedSize === line.size && item.color === line.color;
  const items = guestItems().map((item) => (same(item) ? { ...item, quantity } : item));
  writeGuest(items.filter((item) => item.quantity > 0));
  await refreshCart();
}

/** Puts a removed line back. */
export async function restore(line: CartLine): Promise<void> {
  if (!isGuest()) {
    await ask({ intent: "add", id: line.id, size: line.size, quantity: line.quantity });
    return;
  }
  const image = line.image ? pictureUrl(line.image, 320, "jpg") : PLACEHOLDER_IMAGE;
  writeGuest([...guestItems(), guestItem(line, line.size, line.quantity, image, line.addedAt)]);
  await refreshCart();
}

export function useCartCount(): number {
  return useSyncExternalStore(
    subscribe,
    () => state.count,
    () => 0,
  );
}

/** The newest version of the cart that this browser has heard of; 0 while none. */
export function useCartVersion(): number {
  return useSyncExternalStore(
    subscribe,
    () => state.version,
    () => 0,
  );
}

/** The count that /api/me told; a stable function. */
export function useRememberCount(): (count: number) => void {
  return useCallback((count: number) => change({ count }), []);
}

/** The cart while something shows it; `given` is what the server rendered into the page, if it did. */
export function useCart(given?: Cart): { cart: Cart | undefined; failed: boolean } {
  const current = useSyncExternalStore(
    subscribe,
    () => state,
    () => NOTHING,
  );
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    shown++;
    void refreshCart().then(() => setSeen(true));
    return () => {
      shown--;
    };
  }, []);
  return { cart: seen || !given ? current.cart : given, failed: current.failed };
}

export function useCartDrawer(): { isOpen: boolean; open(): void; close(): void } {
  const isOpen = useSyncExternalStore(
    subscribe,
    () => state.open,
    () => false,
  );
  return { isOpen, open: () => change({ open: true }), close: () => change({ open: false }) };
}
