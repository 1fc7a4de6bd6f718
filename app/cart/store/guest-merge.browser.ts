import * as messages from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { MOST_LINES } from "../cart.ts";
import { guestCartForSignIn, guestItems, isGuest, removeMerged } from "../guest-cart.browser.ts";
import { slimItems } from "../guest-item.ts";
import type { Merged } from "../merge.ts";
import { request } from "./request.browser.ts";
import { setState } from "./state.browser.ts";

let merging: Promise<boolean> | undefined;

/**
 * Merges a guest cart that is still in the browser while a shopper is signed in, for example because a sign-in without
 * JavaScript did not send it. Returns whether the account's cart has changed. Safe to repeat. A lock makes tabs take
 * turns, so that a second tab finds an empty guest cart.
 */
export function mergeRest(): Promise<boolean> {
  merging ??= Promise.resolve(navigator.locks?.request("irepo-merge", mergeNow) ?? mergeNow()).finally(() => {
    merging = undefined;
  });
  return merging;
}

async function mergeNow(): Promise<boolean> {
  if (isGuest() || guestItems().length === 0) return false;
  const { items, mergeId } = guestCartForSignIn();
  const { merged } = await request({ intent: "merge", items: slimItems(items), mergeId });
  if (merged && !merged.ok) toast.error(messages.cart.mergeFailed);
  if (!merged?.ok) return false; // the guest cart stays, and the next page tries again
  applyMerge(merged);
  return true;
}

const MOST_NAMED = 3;

function listOf(titles: string[]): string {
  const more = titles.length - MOST_NAMED;
  return titles.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Shows a message that these are in the cart now, except on the cart's page, which lists them itself. */
export function sayAdded(titles: string[]): void {
  if (titles.length > 0 && !/^\/cart$/i.test(location.pathname)) toast(messages.cartOther.added(listOf(titles)));
}

/** Removes the merged lines from the browser's guest cart and shows messages about the result. */
export function applyMerge({ guestLines, added, adjusted, skipped, dropped = [], capped = [] }: Merged): void {
  removeMerged(guestLines);
  setState({ capped });
  sayAdded(added);
  if (adjusted) toast(messages.cart.adjusted);
  if (skipped.length > 0) toast(messages.cartOther.soldOutMeanwhile(listOf(skipped)));
  if (dropped.length > 0) toast(messages.cartOther.leftOut(MOST_LINES, listOf(dropped)));
}
