import { useEffect } from "react";
import type { Product } from "#app/catalog/product.ts";
import { toast } from "#app/ui/toaster.tsx";
import { guestItems, nameGuestCart } from "./guest-cart.ts";
import { addToCart, refreshCart } from "./store.browser.ts";

/** What was added before the script was there (early-pieces.server.ts). */
export type NoScriptItem = { product: Product; size: string; quantity: number };

let taking = Promise.resolve();

/** Moves early pieces into the guest's cart, where there are any. */
export function useNoScriptItems(areThere: boolean): void {
  useEffect(() => {
    if (areThere) taking = takePieces().catch(() => undefined); // offline: they stay in their cookie
  }, [areThere]);
}

/** A sign-in waits for them: sent at the same time, it would bring them along too. */
export function noScriptItemsTaken(): Promise<void> {
  return taking;
}

async function takePieces(): Promise<void> {
  const response = await fetch("/api/cart", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ intent: "take" }),
  });
  if (!response.ok) return;
  const { pieces, mergeId } = (await response.json()) as { pieces: NoScriptItem[]; mergeId: string };
  const wasEmpty = guestItems().length === 0;
  const added = new Set<string>();
  for (const { product, size, quantity } of pieces)
    if (await addToCart(product, size, quantity)) added.add(product.title);
  if (wasEmpty) nameGuestCart(mergeId); // a login that was sent before the script came brings them along under this name
  void refreshCart();
  if (added.size > 0) toast(`Now in your cart: ${[...added].join(", ")}`);
}
