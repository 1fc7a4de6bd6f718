import { availableIn, type Product, pictureUrl } from "#app/catalog/product.ts";
import { isKept } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { toast } from "#app/ui/toaster.tsx";
import { type CartLine, limitText, MOST_LINES } from "../cart.ts";
import { guestItems, isGuest, writeGuestItems } from "../guest-cart.browser.ts";
import { fits, type GuestItem, guestItem, PLACEHOLDER_IMAGE } from "../guest-item.ts";
import { type Change, isSame, keyOf, putBack } from "../projection.ts";
import { send, sendAddition } from "./queue.browser.ts";
import { refreshCart } from "./refresh.browser.ts";
import { request } from "./request.browser.ts";
import { forgetServerCart, show } from "./server-cart.browser.ts";
import { getState, setState } from "./state.browser.ts";

const imageOf = (one: { images?: Product["images"]; image?: CartLine["image"] }) => {
  const image = one.image ?? one.images?.[0];
  return image ? pictureUrl(image, 320, "jpg") : PLACEHOLDER_IMAGE;
};

/**
 * Adds `quantity` units of a size, capped at the stock and at `most` units in total; a message tells the shopper if it
 * was capped. Returns whether units were added.
 */
export async function addToCart(product: Product, size: string, quantity: number, most: number): Promise<boolean> {
  if (isGuest()) return addAsGuest(product, size, quantity, most);
  const { id, color } = product;
  const { change, problem, isSignedOut } = await sendAddition({ id, size, color, quantity });
  if (isSignedOut) {
    addAsGuest(product, size, quantity, most); // the next login merges the line
    return false;
  }
  if (problem) toast.error(problem);
  else if (change?.isCapped) toast(limitText({ ...change, availableQuantity: change.available }));
  return !problem;
}

function addAsGuest(product: Product, size: string, quantity: number, most: number): boolean {
  const items = guestItems();
  const availableQuantity = availableIn(product, size);
  const maxQuantity = Math.min(availableQuantity, most);
  // The colour is not compared, because its name may have been edited since the line was added.
  const held = items.find((item) => item.id === product.id && item.selectedSize === size);
  const wanted = (held?.quantity ?? 0) + quantity;
  if (wanted > maxQuantity) toast(limitText({ availableQuantity, maxQuantity }));
  if (maxQuantity === 0) return false;
  const sum = Math.min(wanted, maxQuantity);
  if (held) held.quantity = sum;
  else items.push(guestItem(product, size, sum, imageOf(product), new Date().toISOString()));
  if (!writeIfFits(items)) return false;
  if (!held) forgetServerCart(); // the known cart lacks this line and would look complete
  show();
  return true;
}

/** Writes the items. Shows a message if the browser keeps them only until this page closes. */
function keepGuestItems(items: GuestItem[]): void {
  writeGuestItems(items);
  if (!isKept("cart")) toast(messages.kept.noStorage);
}

/**
 * Writes the items if they are not too many; otherwise shows a message that the cart is full. Returns whether they were
 * written.
 */
function writeIfFits(items: GuestItem[]): boolean {
  if (fits(items)) keepGuestItems(items);
  else toast(messages.cartOther.tooManyLines(MOST_LINES));
  return fits(items);
}

/**
 * Adds lines to the guest cart of this browser; if a shopper is signed in, the lines are merged into the account's cart
 * from there. Returns undefined if they are too many, in which case none is added.
 */
export function addLines(lines: CartLine[]): Promise<void> | undefined {
  if (!writeIfFits(lines.reduce((items, line) => putBack(items, line, imageOf(line)), guestItems()))) return;
  forgetServerCart();
  show();
  return refreshCart();
}

/** Sets a line's quantity. 0 removes the line, and `restore` can bring it back. */
export async function setQuantity(line: CartLine, quantity: number): Promise<void> {
  if (quantity === 0) setState({ removed: line });
  setState({ capped: getState().capped.filter(({ productId, size }) => productId !== line.id || size !== line.size) });
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
  if (getState().removed === line) setState({ removed: undefined });
}

/** Restores the line that was removed last. */
export async function restore(): Promise<void> {
  const line = getState().removed;
  if (!line) return;
  setState({ removed: undefined });
  if (isGuest()) return addLines([line]);
  const { id, size, color, quantity } = line;
  const { problem, isSignedOut } = await sendAddition({ id, size, color, quantity, line });
  if (isSignedOut) return addLines([line]);
  if (problem) toast.error(problem);
}

/**
 * Repeats a change that the previous page may not have sent. If the session has ended, an addition goes into the guest
 * cart for the next login, with the title and price from the server.
 */
export async function sendAgain(change: Change): Promise<void> {
  const { problem, isSignedOut } = await send(change);
  if (problem) toast.error(problem);
  if (!isSignedOut || change.intent !== "add") return;
  const { id, size, color, quantity } = change;
  const unpriced = { id, color, title: "", priceCents: usdCents(0) };
  const item = guestItem(unpriced, size, quantity, PLACEHOLDER_IMAGE, new Date().toISOString());
  const { cart } = await request({ intent: "price", items: [item] });
  await addLines(cart?.lines ?? []);
}
