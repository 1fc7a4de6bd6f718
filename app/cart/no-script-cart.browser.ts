import { useEffect, useState } from "react";
import { messages } from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { guestItems, setMergeId } from "./guest-cart.browser.ts";
import { addLines } from "./store/changes.browser.ts";
import { request } from "./store/request.browser.ts";

let moving: Promise<boolean> | undefined;

/**
 * Moves what was added without script (no-script-cart.server.ts) into the guest's cart, where there is any. Answers whether it is still in its cookie,
 * as before the script has come.
 */
export function useNoScriptCart(isThere: boolean): boolean {
  const [isWaiting, setWaiting] = useState(isThere);
  useEffect(() => {
    setWaiting(isThere);
    if (!isThere) return;
    moving ??= moveItems().finally(() => {
      moving = undefined;
    });
    void moving.then((isMoved) => setWaiting(!isMoved));
  }, [isThere]);
  return isWaiting;
}

/** A sign-in waits for this: sent at the same time, it would merge the same items too. */
export async function noScriptItemsMoved(): Promise<void> {
  await moving;
}

/** False: they could not be fetched, and stay in their cookie. */
async function moveItems(): Promise<boolean> {
  const { cart, mergeId, problem } = await request({ intent: "take" });
  if (problem || !cart || !mergeId) return false;
  if (guestItems().length === 0) setMergeId(mergeId); // a login that was sent before the script came merges them under this id
  await addLines(cart.lines);
  const titles = [...new Set(cart.lines.map(({ title }) => title))];
  if (titles.length > 0) toast(messages.cartOther.added(titles.join(", ")));
  return true;
}
