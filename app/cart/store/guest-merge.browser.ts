import * as messages from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { guestCartForSignIn, guestItems, isGuest, removeMerged } from "../guest-cart.browser.ts";
import type { Merged } from "../merge.ts";
import { request } from "./request.browser.ts";

let merging: Promise<boolean> | undefined;

/**
 * Merges what is still in the browser's guest cart though somebody is signed in: the sign-in did not send it, as without script. Answers whether the
 * account's cart has changed. Safe to repeat; one tab after the other, so that the second one finds nothing left.
 */
export function mergeRest(): Promise<boolean> {
  merging ??= Promise.resolve(navigator.locks?.request("irepo-merge", mergeNow) ?? mergeNow()).finally(() => {
    merging = undefined;
  });
  return merging;
}

async function mergeNow(): Promise<boolean> {
  if (isGuest() || guestItems().length === 0) return false;
  const { merged } = await request({ intent: "merge", ...guestCartForSignIn() });
  if (!merged?.ok) return false; // it stays, for the next page
  applyMerge(merged);
  return true;
}

const MOST_NAMED = 3;

function listOf(titles: string[]): string {
  const more = titles.length - MOST_NAMED;
  return titles.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Removes from the browser's guest cart what the account has now, and says what became of it. */
export function applyMerge({ guestLines, added, adjusted, skipped }: Merged): void {
  removeMerged(guestLines);
  if (added.length > 0) toast(messages.cartOther.added(listOf(added)));
  if (adjusted) toast(messages.cart.adjusted);
  if (skipped.length > 0) toast(messages.cartOther.soldOutMeanwhile(listOf(skipped)));
}
