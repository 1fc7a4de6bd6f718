import { toast } from "#app/ui/toaster.tsx";
import { type CartLine, limitText } from "../cart.ts";
import { guestItems, isGuest, writeGuestItems } from "../guest-cart.browser.ts";
import { type Change, project } from "../projection.ts";
import { send } from "../store/queue.browser.ts";
import { refreshCart } from "../store/refresh.browser.ts";
import { keepServerCart, show } from "../store/server-cart.browser.ts";
import { getState } from "../store/state.browser.ts";
import { moveToSize } from "./move.ts";

/**
 * Moves all units of a line to another of its sizes. A message tells the shopper if fewer fit into the stock. Returns
 * whether the line has that size now.
 */
export async function changeSize(line: CartLine, to: string): Promise<boolean> {
  const { id, size, color, quantity } = line;
  const change: Change = { intent: "size", id, size, color, quantity, to };
  if (isGuest()) return changeAsGuest(line, change, to);
  const held = getState().cart?.lines.find((one) => one.id === id && one.size === to);
  const { cart, problem } = await send(change);
  if (problem) toast.error(problem);
  const moved = cart?.lines.find((one) => one.id === id && one.size === to);
  if (moved && moved.quantity < quantity + (held?.quantity ?? 0)) toast(limitText(moved));
  return moved !== undefined;
}

/** The cart on the screen changes at once; then the server prices it again. */
async function changeAsGuest(line: CartLine, change: Change, to: string): Promise<boolean> {
  const limit = line.sizes?.find(({ size }) => size === to);
  const { cart } = getState();
  if (!limit || !cart) return false;
  const { items, isCapped } = moveToSize(guestItems(), { id: line.id, size: line.size, to }, limit.maxQuantity);
  writeGuestItems(items);
  keepServerCart(project(cart, [change]), null);
  show();
  if (isCapped) toast(limitText(limit));
  await refreshCart();
  return true;
}
