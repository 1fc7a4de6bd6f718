import { useEffect } from "react";
import type { Product } from "#app/catalog/product.ts";
import { messages } from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { guestItems, setMergeId } from "./guest-cart.browser.ts";
import { addToCart, refreshCart } from "./store.browser.ts";

/** What was added before the script was there (no-script-cart.server.ts). */
export type NoScriptItem = { product: Product; size: string; quantity: number };

let moving = Promise.resolve();

/** Moves what was added without script into the guest's cart, where there is any. */
export function useNoScriptItems(areThere: boolean): void {
  useEffect(() => {
    if (areThere) moving = moveItems().catch(() => undefined); // offline: they stay in their cookie
  }, [areThere]);
}

/** A sign-in waits for this: sent at the same time, it would merge them too. */
export function noScriptItemsMoved(): Promise<void> {
  return moving;
}

async function moveItems(): Promise<void> {
  const response = await fetch("/api/cart", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ intent: "take" }),
  });
  if (!response.ok) return;
  const { items, mergeId } = (await response.json()) as { items: NoScriptItem[]; mergeId: string };
  const wasEmpty = guestItems().length === 0;
  const added = new Set<string>();
  for (const { product, size, quantity } of items)
    if (await addToCart(product, size, quantity)) added.add(product.title);
  if (wasEmpty) setMergeId(mergeId); // a login that was sent before the script came merges them under this id
  void refreshCart();
  if (added.size > 0) toast(messages.cartOther.added([...added].join(", ")));
}
