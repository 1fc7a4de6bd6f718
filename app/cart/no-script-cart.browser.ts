import { useEffect, useState } from "react";
import { isListOf, isObject, isText } from "#app/infra/guards.ts";
import { readStored, store } from "#app/infra/storage.browser.ts";
import { messages } from "#app/messages.ts";
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

/** A sign-in waits for this: sent at the same time, it would merge the same items too. */
export async function noScriptItemsMoved(): Promise<void> {
  await moving;
}

/** What has been put into the guest's cart, until the server has emptied the cookie: a page that goes away in between loses nothing and doubles nothing. */
const MOVED = "noScriptCartMoved";
const isMoved = isObject<{ mergeId: string; lines: Line[] }>({ mergeId: isText, lines: isListOf(isStoredLine) });

function movedBefore(mergeId: string): Line[] {
  try {
    const moved: unknown = JSON.parse(readStored(MOVED) ?? "null");
    return isMoved(moved) && moved.mergeId === mergeId ? moved.lines : [];
  } catch {
    return []; // somebody else's value
  }
}

/** False: they could not be fetched or are too many, and stay in their cookie. */
async function moveItems(): Promise<boolean> {
  const { cart, mergeId, problem } = await request({ intent: "take" });
  if (problem || !cart || !mergeId) return false;
  const before = movedBefore(mergeId);
  const lines = cart.lines.map((line) => ({ ...line, productId: line.id }));
  const news = lines.flatMap((line) => {
    const quantity = line.quantity - (before.find((moved) => isSameLine(moved, line))?.quantity ?? 0);
    return quantity > 0 ? [{ ...line, quantity }] : [];
  });
  const wasEmpty = guestItems().length === 0;
  const shown = addLines(news);
  if (!shown) return false;
  if (wasEmpty) setMergeId(mergeId); // a login that was sent before the script came merges them under this id
  store(MOVED, JSON.stringify({ mergeId, lines }));
  const { problem: notEmptied } = await request({ intent: "taken", mergeId });
  if (!notEmptied) store(MOVED, null);
  await shown;
  const titles = [...new Set(news.map(({ title }) => title))];
  if (titles.length > 0) toast(messages.cartOther.added(titles.join(", ")));
  return true;
}
