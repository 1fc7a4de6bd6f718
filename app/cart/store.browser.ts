import { useCallback, useEffect, useSyncExternalStore } from "react";
import { type Product, pictureUrl } from "#app/catalog/product.ts";
import { onStored } from "#app/infra/storage.browser.ts";
import { messages } from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { afterWrite, type Cart, type CartLine, countUnits, type Written } from "./cart.ts";
import { cartOwner, forgetBrought, guestCartForSignIn, guestItems, isGuest, writeGuestItems } from "./guest-cart.ts";
import { guestItem, PLACEHOLDER_IMAGE } from "./guest-item.ts";
import { followLive, type LiveCart } from "./live.browser.ts";
import type { Brought } from "./merge.ts";
import { type Change, guestView, isSame, keyOf, project, putBack, replaces, withinStock } from "./projection.ts";
import { randomId } from "./random-id.ts";
import { keepUnsent, takeUnsent } from "./unsent.browser.ts";

export { forgetGuestCart, guestCartForSignIn } from "./guest-cart.ts";

/**
 * The cart in the browser. A guest's lines live in local storage, a signed-in shopper's on the server; both are shown with the server's prices.
 * A tap shows at once: `cart` is the server's last word with the changes on top that it has not answered yet.
 */
type State = {
  count: number;
  /** The newest version that the live stream has told of. */
  version: number;
  cart: Cart | undefined;
  failed: boolean;
  open: boolean;
  /** What was removed last and can be brought back. */
  removed: CartLine | undefined;
};

const NOTHING: State = { count: 0, version: 0, cart: undefined, failed: false, open: false, removed: undefined };
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
  followOwner();
  addEventListener("pagehide", sendRest);
  for (const change of takeUnsent(cartOwner())) void send(change);
  onStored((key, isElsewhere) => {
    followOwner();
    if (!isElsewhere || (key !== "cart" && key !== "cartUserId" && key !== null)) return;
    show();
    if (shown > 0) void refreshCart();
  });
}

let followed: string | null = null;

/** Whoever signs in or out in this tab or another one: from now on it is about that one's cart. */
function followOwner(): void {
  const whose = cartOwner();
  if (whose === followed) return;
  followed = whose;
  followLive(whose, heard);
  change({ version: 0, removed: undefined });
  show();
  void bringAlong();
}

function heard({ version, count }: LiveCart): void {
  if (isGuest()) return;
  change(waiting.length > 0 ? { version } : { version, count });
  followVersion();
}

/** An answer that is still to come carries the cart with it. */
function followVersion(): void {
  if (shown > 0 && waiting.length === 0 && state.version > (said?.version ?? 0)) void refreshCart();
}

/** The server's last word, and whose cart that is. */
let said: Cart | undefined;
let owner: string | null = null;

/** Takes a word of the server, unless it is older than what is known or about somebody else's cart. */
function take(cart: Cart, whose: string | null): void {
  if (whose !== cartOwner()) return;
  if (said && owner === whose && cart.version < said.version) return;
  said = cart;
  owner = whose;
}

/** Takes what a write did; where that does not follow on what is known, the cart is asked for anew while something shows it. */
async function takeWritten(written: Written, whose: string | null): Promise<void> {
  if (whose !== cartOwner()) return;
  change({ version: Math.max(state.version, written.version), count: written.count });
  const next = said && owner === whose ? afterWrite(said, written) : undefined;
  if (next) said = next;
  else if (shown > 0) {
    const { cart } = await ask({ intent: "show" });
    if (cart) take(cart, whose);
  } else said = undefined;
}

function show(failed = false): void {
  if (said && owner !== cartOwner()) said = undefined;
  const items = isGuest() ? guestItems() : [];
  const changes = waiting.map((one) => one.change);
  const cart = said && (isGuest() ? guestView(said, items) : project(said, changes));
  // The stream may have told of a newer cart, with its number, than the one that was asked for before.
  const isOld = said && changes.length === 0 && said.version < state.version;
  const counted = isGuest() ? items : isOld ? undefined : cart?.lines;
  change({ cart, failed, count: counted ? countUnits(counted) : state.count });
}

type Answer = {
  cart?: Cart;
  change?: Written;
  merged?: Brought;
  problem?: string;
  isSignedOut?: boolean;
  /** Nobody knows whether it was done. */
  isLost?: boolean;
};

async function ask(body: object): Promise<Answer> {
  try {
    const response = await fetch("/api/cart", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      keepalive: true, // whoever leaves the page right after a tap has still tapped
    });
    if (response.status === 401) return { isSignedOut: true };
    if (response.ok) return (await response.json()) as Answer;
    if (response.status < 500) return { problem: messages.form.unavailable };
  } catch {} // no answer, or a broken one
  return { problem: messages.form.unavailable, isLost: true };
}

type SessionEnded = (text: string) => void;
let tellSessionEnded: SessionEnded | undefined;

/** `told` is to forget whose cart this was and to offer the login, with a text that says why. Returns how to stop that. */
export function onSessionEnded(told: SessionEnded): () => void {
  tellSessionEnded = told;
  return () => {
    tellSessionEnded = undefined;
  };
}

function endSession(whose: string | null, text: string): void {
  if (whose !== cartOwner()) return;
  change({ open: false });
  tellSessionEnded?.(text);
}

let asking: Promise<void> | undefined;
let askAgain = false;

/** Loads the cart anew, as when the drawer opens or somebody signs in. One question at a time; what is asked meanwhile is asked once more. */
export function refreshCart(): Promise<void> {
  if (asking) askAgain = true;
  else {
    followLive(cartOwner(), heard);
    void bringAlong();
  }
  asking ??= askUntilCurrent().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function askUntilCurrent(): Promise<void> {
  do {
    askAgain = false;
    const whose = cartOwner();
    const { cart, isSignedOut } = await ask(whose ? { intent: "show" } : { intent: "price", items: guestItems() });
    if (isSignedOut) {
      endSession(whose, messages.session.ended);
      askAgain = isGuest();
    }
    if (cart) take(cart, whose);
    if (cart && isGuest()) capGuest(cart);
    show(!cart);
  } while (askAgain);
}

let isBringing = false;

/** What lies in a guest's cart though somebody is signed in was not sent with the sign-in, as before the script was there: it comes along now. */
async function bringAlong(): Promise<void> {
  if (isBringing) return;
  isBringing = true;
  // One tab after the other: the second one finds nothing left.
  await (navigator.locks?.request("irepo-bring", bringRest) ?? bringRest()).finally(() => {
    isBringing = false;
  });
}

async function bringRest(): Promise<void> {
  if (isGuest() || guestItems().length === 0) return;
  const { merged } = await ask({ intent: "bring", ...guestCartForSignIn() });
  if (!merged?.ok) return; // it stays, for the next page
  takeBrought(merged);
  if (shown > 0) void refreshCart();
}

const MOST_NAMED = 3;

function listOf(titles: string[]): string {
  const more = titles.length - MOST_NAMED;
  return titles.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The account has taken this: it is forgotten here, and said. */
export function takeBrought({ brought, added, adjusted, skipped }: Extract<Brought, { ok: true }>): void {
  forgetBrought(brought);
  if (added.length > 0) toast(`Now in your cart: ${listOf(added)}`);
  if (adjusted) toast(messages.cart.adjusted);
  if (skipped.length > 0) toast(`Sold out meanwhile: ${listOf(skipped)}`);
}

/** Local storage may have changed since the question: what lies there now is capped, nothing is put back. */
function capGuest(cart: Cart): void {
  const items = guestItems();
  const capped = withinStock(items, cart);
  if (JSON.stringify(capped) !== JSON.stringify(items)) writeGuestItems(capped);
}

/** Changes of a signed-in shopper's cart on their way, in the order in which they were made; the first one is being asked. */
let waiting: { change: Change; done(answer: Answer): void }[] = [];
let sending = false;

function send(next: Change): Promise<Answer> {
  keepUnsent(null, []); // a page that has come back from the browser's memory goes on by itself
  return new Promise((resolve) => {
    const last = waiting.at(-1);
    if (last && waiting.length > 1 && replaces(next, last.change)) {
      waiting = [...waiting.slice(0, -1), { change: next, done: (answer) => [last.done(answer), resolve(answer)] }];
    } else waiting = [...waiting, { change: next, done: resolve }];
    show();
    if (!sending) void sendAll();
  });
}

async function sendAll(): Promise<void> {
  sending = true;
  let refused = false;
  for (let [first] = waiting; first; [first] = waiting) {
    const whose = cartOwner();
    const asked = question(first.change);
    let answer = await ask(asked);
    if (answer.isLost && first.change.key) answer = await ask(asked);
    refused ||= answer.isSignedOut === true || answer.problem !== undefined;
    if (answer.isSignedOut) {
      dropAll(answer, whose);
      break;
    }
    if (answer.change) await takeWritten(answer.change, whose);
    waiting = waiting.slice(1);
    show();
    first.done(answer);
  }
  sending = false;
  // What is refused was refused for a reason that the page does not know yet.
  if (refused && shown > 0) void refreshCart();
  else followVersion();
}

/** Without a session nothing of it can be written: each is told so. Only what is added is not lost (see addToCart). */
function dropAll(answer: Answer, whose: string | null): void {
  const dropped = waiting;
  waiting = [];
  const onlyAdds = dropped.every(({ change: { intent } }) => intent === "add");
  endSession(whose, onlyAdds ? messages.session.ended : messages.session.notChanged);
  for (const { done } of dropped) done(answer);
}

function question({ intent, id, size, quantity, key }: Change) {
  return { intent, id, size, key, ...(intent !== "remove" && { quantity }) };
}

/** The page goes away: what has not been asked yet is asked without waiting for answers, and not again should it come back. */
function sendRest(): void {
  keepUnsent(
    cartOwner(),
    waiting.map(({ change }) => change),
  );
  const rest = waiting.slice(1);
  waiting = waiting.slice(0, 1);
  for (const { change, done } of rest) void ask(question(change)).then(done);
}

const imageOf = (piece: { images?: Product["images"]; image?: CartLine["image"] }) => {
  const image = piece.image ?? piece.images?.[0];
  return image ? pictureUrl(image, 320, "jpg") : PLACEHOLDER_IMAGE;
};

/** Additions whose answer was lost, and what they are called: the shopper who tries again means the same one. */
const lost = new Map<string, string>();

async function add(addition: Omit<Change, "intent" | "key">): Promise<Answer> {
  const what = `${addition.id} ${addition.size} ${addition.quantity}`;
  const key = lost.get(what) ?? randomId();
  lost.delete(what);
  const answer = await send({ ...addition, intent: "add", key });
  if (answer.isLost) lost.set(what, key);
  return answer;
}

/** Puts `quantity` more of a size into the cart, at most what is in stock, and says so. Returns whether anything went in. */
export async function addToCart(product: Product, size: string, quantity: number): Promise<boolean> {
  if (isGuest()) return addAsGuest(product, size, quantity);
  const { id, color } = product;
  const { change: written, problem, isSignedOut } = await add({ id, size, color, quantity });
  if (isSignedOut) {
    addAsGuest(product, size, quantity); // it comes along with the login
    return false;
  }
  if (problem) toast.error(problem);
  else if (written?.isCapped) toast.error(messages.cart.aboveStock);
  return !problem;
}

function addAsGuest(product: Product, size: string, quantity: number): boolean {
  const items = guestItems();
  const available = product.sizes.find((one) => one.size === size)?.available ?? 0;
  const held = items.find((item) => isSame(keyOf(item), { id: product.id, size, color: product.color }));
  const wanted = (held?.quantity ?? 0) + quantity;
  if (wanted > available) toast.error(messages.cart.aboveStock);
  if (available === 0) return false;
  const sum = Math.min(wanted, available);
  if (held) held.quantity = sum;
  else items.push(guestItem(product, size, sum, imageOf(product), new Date().toISOString()));
  writeGuestItems(items);
  if (!held) said = undefined; // it knows nothing of this one: without it the cart would be shown as if it were all
  show();
  return true;
}

/** Sets a line's quantity; 0 removes it, and `restore` brings it back. */
export async function setQuantity(line: CartLine, quantity: number): Promise<void> {
  if (quantity === 0) change({ removed: line });
  if (isGuest()) {
    const items = guestItems().map((item) => (isSame(keyOf(item), line) ? { ...item, quantity } : item));
    writeGuestItems(items.filter((item) => item.quantity > 0));
    show();
    return refreshCart();
  }
  const { id, size, color } = line;
  const { problem } = await send({ intent: quantity === 0 ? "remove" : "set", id, size, color, quantity });
  if (!problem) return;
  toast.error(problem);
  if (quantity === 0) change({ removed: undefined });
}

/** Puts the line back that was removed last. */
export async function restore(): Promise<void> {
  const line = state.removed;
  if (!line) return;
  change({ removed: undefined });
  if (isGuest()) return restoreAsGuest(line);
  const { id, size, color, quantity } = line;
  const { problem, isSignedOut } = await add({ id, size, color, quantity, line });
  if (isSignedOut) return restoreAsGuest(line);
  if (problem) toast.error(problem);
}

function restoreAsGuest(line: CartLine): Promise<void> {
  writeGuestItems(putBack(guestItems(), line, imageOf(line)));
  show();
  return refreshCart();
}

const NONE = () => NOTHING;
const useCartState = () => useSyncExternalStore(subscribe, () => state, NONE);

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

let shown = 0;

/** The cart while something shows it; `given` is what the server rendered into the page, if it did. */
export function useCart(given?: Cart): { cart: Cart | undefined; removed: CartLine | undefined; failed: boolean } {
  const { cart, removed, failed } = useCartState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the page came with is taken once
  useEffect(() => {
    shown++;
    if (given) take(given, cartOwner());
    show();
    void refreshCart();
    return () => {
      shown--;
      change({ removed: undefined });
    };
  }, []);
  return { cart: cart ?? given, removed, failed };
}

export function useCartDrawer(): { isOpen: boolean; open(): void; close(): void } {
  const isOpen = useSyncExternalStore(
    subscribe,
    () => state.open,
    () => false,
  );
  return { isOpen, open: () => change({ open: true }), close: () => change({ open: false }) };
}
