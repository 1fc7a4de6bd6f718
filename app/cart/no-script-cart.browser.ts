import { useEffect, useState } from "react";
import { isListOf, isObject, isText } from "#app/infra/guards.ts";
import { readStored, store } from "#app/infra/storage.browser.ts";
import { isStoredLine } from "./answer.ts";
import { guestItems, setMergeId } from "./guest-cart.browser.ts";
import { isSameLine, type Line } from "./merge.ts";
import { addLines } from "./store/changes.browser.ts";
import { sayAdded } from "./store/guest-merge.browser.ts";
import { request } from "./store/request.browser.ts";

let moving: Promise<boolean> | undefined;

/**
 * Moves items that were added without JavaScript (no-script-cart.server.ts) into the guest cart of the browser. Returns
 * whether items are still in the cookie, as in the first render.
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

/**
 * Waits until the items are moved and the cookie is emptied. A sign-in calls this first: otherwise it would merge the
 * items of the cookie a second time.
 */
export async function noScriptItemsMoved(): Promise<void> {
  await moving;
  if (unconfirmed) await confirmMoved(unconfirmed);
}

/**
 * The local storage key of the cookie's lines that are already in the guest cart. If the page closes before the cookie
 * is emptied, the next page neither loses nor doubles an item.
 */
const MOVED = "noScriptCartMoved";
const isMoved = isObject<{ mergeId: string; lines: Line[] }>({ mergeId: isText, lines: isListOf(isStoredLine) });
let unconfirmed: string | undefined;

function movedBefore(mergeId: string): Line[] {
  try {
    const moved: unknown = JSON.parse(readStored(MOVED) ?? "null");
    return isMoved(moved) && moved.mergeId === mergeId ? moved.lines : [];
  } catch {
    return []; // a value of another program
  }
}

/** Asks the server to empty the cookie. The server refuses if the cookie has changed since `mark` was read. */
async function confirmMoved(mark: string): Promise<void> {
  const { problem } = await request({ intent: "taken", mark });
  unconfirmed = problem ? mark : undefined;
}

/** Locked, so that a second tab waits and sees the lines that the first tab has moved. */
async function moveItems(): Promise<boolean> {
  return navigator.locks?.request("irepo-no-script-cart", moveNow) ?? moveNow();
}

/** Returns false if the items could not be loaded or are too many. They then stay in the cookie. */
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
  // The merge id is set before the items are written, because a form reads both together: a sign-in posted without
  // JavaScript merges the items under this id.
  if (wasEmpty) setMergeId(mergeId);
  const shown = addLines(news);
  if (!shown) {
    if (wasEmpty) setMergeId(null);
    return false;
  }
  const lines = cart.lines.map(({ id, size, color, quantity }) => ({ productId: id, size, color, quantity }));
  store(MOVED, JSON.stringify({ mergeId, lines }));
  await confirmMoved(mark);
  await shown;
  sayAdded([...new Set(news.map(({ title }) => title))]);
  return true;
}
