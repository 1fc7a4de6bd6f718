import { useEffect, useState, useSyncExternalStore } from "react";
import { type ClientActionFunctionArgs, useRevalidator } from "react-router";
import { Notice } from "./notice.tsx";

/** How often a screen looks whether there is anything new, in ms. */
const LOOK_EVERY = 10_000;

let offlineSince: Date | undefined;
const listeners = new Set<() => void>();

function setOffline(isOffline: boolean): void {
  if (isOffline === (offlineSince !== undefined)) return;
  offlineSince = isOffline ? new Date() : undefined;
  for (const listener of listeners) listener();
}

/** Asked before anything is loaded: a failed load would replace the screen with an error. */
async function answers(): Promise<boolean> {
  const ok = await fetch("/healthz", { cache: "no-store" }).then(
    (answer) => answer.ok,
    () => false,
  );
  setOffline(!ok);
  return ok;
}

/** Refreshes a screen while it is visible. */
export function useFresh(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const look = async () => {
      if (document.visibilityState === "visible" && (await answers())) await revalidate();
    };
    const timer = setInterval(look, LOOK_EVERY);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [revalidate]);
}

/**
 * A route's `clientAction`: without a connection it does nothing, keeps what was typed, and says so. If the connection breaks before the answer, the form may have
 * arrived: somebody told that nothing happened would refund a second time.
 */
export async function keepWhatIsTyped({ serverAction }: Pick<ClientActionFunctionArgs, "serverAction">) {
  const isGone = navigator.onLine === false;
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    setOffline(true);
    const problem = isGone
      ? "No connection: nothing was changed."
      : "The connection broke off: look whether it was done.";
    return { ok: false, isOffline: true, problem: `${problem} What you typed is still here.` };
  }
}

/** Why a change was refused, in a sentence, and that nothing came of it; without a connection that is not known. */
export function notDoneText(refused: { problem: string }, nothing = "Nothing was changed."): string {
  return "isOffline" in refused ? refused.problem : `${refused.problem}. ${nothing}`;
}

/** The route's `shouldRevalidate` with it: offline, there is nothing to ask. */
export function unlessOffline({
  actionResult,
  defaultShouldRevalidate,
}: {
  actionResult?: { isOffline?: boolean };
  defaultShouldRevalidate: boolean;
}): boolean {
  return !actionResult?.isOffline && defaultShouldRevalidate;
}

/** The same, but loading anew after a refusal, which may be due to what others have done. */
export function alsoAfterRefusal({ actionResult }: { actionResult?: { isOffline?: boolean } }): boolean {
  return !actionResult?.isOffline;
}

/** Says since when there is no connection. */
export function OfflineNotice() {
  const since = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offlineSince,
    () => undefined,
  );
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const look = () => {
      setGone(!navigator.onLine);
      void answers();
    };
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  if (!since && !isGone) return null;
  const time = (since ?? new Date()).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return (
    <div className="fixed inset-x-4 bottom-18 z-30 lg:bottom-4 lg:left-62">
      <Notice kind="offline">
        <strong className="font-semibold">No connection since {time}.</strong> You see what was here then. What you type
        stays; money waits until you are back.
      </Notice>
    </div>
  );
}
