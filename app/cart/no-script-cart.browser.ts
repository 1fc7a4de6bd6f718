import { useEffect, useState } from "react";
import { isListOf, isObject, isText } from "#app/infra/guards.ts";
import { readStored, store } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { isStoredLine } from "./answer.ts";
import { guestItems, setMergeId } from "./guest-cart.browser.ts";
import { isSameLine, type Line } from "./merge.ts";
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

/** A sign-in waits for this: sent at the same time, or with the cookie still there, it would merge the same items too. */
export async function noScriptItemsMoved(): Promise<void> {
  await moving;
  if (unconfirmed) await confirmMoved(unconfirmed);
}

/** What of a cookie has been put into the guest's cart: a page that goes away before the cookie is emptied loses nothing and doubles nothing. */
const MOVED = "noScriptCartMoved";
const isMoved = isObject<{ mergeId: string; lines: Line[] }>({ mergeId: isText, lines: isListOf(isStoredLine) });
let unconfirmed: string | undefined;

function movedBefore(mergeId: string): Line[] {
  try {
    const moved: unknown = JSON.parse(readStored(MOVED) ?? "null");
    return isMoved(moved) && moved.mergeId === mergeId ? moved.lines : [];
  } catch {
    return []; // somebody else's value
  }
}

/** The server empties the cookie, unless it has changed since `mark` was read. */
async function confirmMoved(mark: string): Promise<void> {
  const { problem } = await request({ intent: "taken", mark });
  unconfirmed = problem ? mark : undefined;
}

/** One tab after the other, so that the second one finds what the first has moved. */
async function moveItems(): Promise<boolean> {
  return navigator.locks?.request("irepo-no-script-cart", moveNow) ?? moveNow();
}

/** False: they could not be fetched or are too many, and stay in their cookie. */
async function moveNow(): Promise<boolean> {
  const { cart, mergeId, mark, problem } = await request({ intent: "take" });
  if (problem || !cart || !mergeId || mark === undefined) return false;
  const before = movedBefore(mergeId);
  const news = cart.lines.flatMap((line) => {
    const same = before.find((moved) => isSameLine(moved, { ...line, productId: line.id }));
    const quantity = line.quantity - (same?.quantity ?? 0);
    return quantity > 0 ? [{ ...line, quantity }] : [];
  });
  const wasEmpty = guestItems().length === 0;
  if (wasEmpty) setMergeId(mergeId); // first, since forms read it with the items: a sign-in without script merges them under this id
  const shown = addLines(news);
  if (!shown) {
    if (wasEmpty) setMergeId(null);
    return false;
  }
  const lines = cart.lines.map(({ id, size, color, quantity }) => ({ productId: id, size, color, quantity }));
  store(MOVED, JSON.stringify({ mergeId, lines }));
  await confirmMoved(mark);
  await shown;
  const titles = [...new Set(news.map(({ title }) => title))];
  if (titles.length > 0) toast(messages.cartOther.added(titles.join(", ")));
  return true;
}
