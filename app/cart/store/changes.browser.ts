import { availableIn, type Product, pictureUrl } from "#app/catalog/product.ts";
import * as messages from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { toast } from "#app/ui/toaster.tsx";
import { type CartLine, limitText } from "../cart.ts";
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
 * Adds `quantity` units of a size, at most what is in stock and `most` in all, and says where that is less. Answers whether any were added.
 */
export async function addToCart(product: Product, size: string, quantity: number, most: number): Promise<boolean> {
  if (isGuest()) return addAsGuest(product, size, quantity, most);
  const { id, color } = product;
  const { change, problem, isSignedOut } = await sendAddition({ id, size, color, quantity });
  if (isSignedOut) {
    addAsGuest(product, size, quantity, most); // the next login merges it
    return false;
  }
  if (problem) toast.error(problem);
  else if (change?.isCapped) toast.error(limitText({ ...change, availableQuantity: change.available }));
  return !problem;
}

function addAsGuest(product: Product, size: string, quantity: number, most: number): boolean {
  const items = guestItems();
  const availableQuantity = availableIn(product, size);
  const maxQuantity = Math.min(availableQuantity, most);
  const held = items.find((item) => isSame(keyOf(item), { id: product.id, size, color: product.color }));
  const wanted = (held?.quantity ?? 0) + quantity;
  if (wanted > maxQuantity) toast.error(limitText({ availableQuantity, maxQuantity }));
  if (maxQuantity === 0) return false;
  const sum = Math.min(wanted, maxQuantity);
  if (held) held.quantity = sum;
  else items.push(guestItem(product, size, sum, imageOf(product), new Date().toISOString()));
  if (!writeIfFits(items)) return false;
  if (!held) forgetServerCart(); // it lacks this line, and would be shown as if it were all
  show();
  return true;
}

/** Says that the cart is full where the items are too many, and writes none of them. */
function writeIfFits(items: GuestItem[]): boolean {
  if (fits(items)) writeGuestItems(items);
  else toast.error(messages.cartOther.full);
  return fits(items);
}

/** Adds lines to the browser's guest cart; where somebody is signed in, they are merged from there. Undefined: they are too many, and none is added. */
export function addLines(lines: CartLine[]): Promise<void> | undefined {
  if (!writeIfFits(lines.reduce((items, line) => putBack(items, line, imageOf(line)), guestItems()))) return;
  forgetServerCart();
  show();
  return refreshCart();
}

/** Sets a line's quantity; 0 removes it, and `restore` puts it back. */
export async function setQuantity(line: CartLine, quantity: number): Promise<void> {
  if (quantity === 0) setState({ removed: line });
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

/** Puts the line back that was removed last. */
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

/** Sends what the page before may not have sent. An addition whose session has ended is kept for the next login; the server knows its title and price. */
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
