import { useEffect } from "react";
import { type ClientActionFunctionArgs, useNavigation, useRevalidator } from "react-router";
import { noteAway, whyFailed } from "../connection/away.browser.ts";

/** How often a screen looks whether there is anything new, and when it gives a look without an answer up, in ms. */
const LOOK_EVERY = 10_000;
const NO_ANSWER = 30_000;

/** Refreshes a screen while it is visible. A look never breaks off what is being loaded, or one that is on its way. */
export function useFresh(every = LOOK_EVERY): void {
  const { revalidate } = useRevalidator();
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    let busyUntil = 0;
    const look = async () => {
      if (document.visibilityState !== "visible" || Date.now() < busyUntil) return;
      busyUntil = Date.now() + NO_ANSWER;
      await revalidate();
      busyUntil = 0;
    };
    const timer = setInterval(look, every);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [revalidate, isIdle, every]);
}

/** The same for a screen that refreshes only while this is shown. */
export function Fresh({ every }: { every?: number }) {
  useFresh(every);
  return null;
}

/**
 * A route's `clientAction`: without an answer the form keeps what was typed, and says so. It may have arrived all the same: somebody told that nothing happened
 * would refund a second time. Pressed again it is done once, or the answer says what has been done.
 */
export async function keepWhatIsTyped({ serverAction }: Pick<ClientActionFunctionArgs, "serverAction">) {
  const isGone = navigator.onLine === false;
  try {
    return await serverAction();
  } catch (error) {
    const why = whyFailed(error);
    if (!why) throw error;
    noteAway(why);
    const problem =
      isGone && why === "network"
        ? "No connection: nothing was changed. What you typed is still here."
        : "No answer came: it is not known whether it was done. What you typed is still here. Press again: it is never done twice.";
    return { ok: false, isOffline: true, problem };
  }
}

/** Why a change was refused, in a sentence, and that nothing came of it; without an answer that is not known. */
export function notDoneText(refused: { problem: string }, nothing = "Nothing was changed."): string {
  return "isOffline" in refused ? refused.problem : `${refused.problem}. ${nothing}`;
}

/** The route's `shouldRevalidate` with it: where nothing is answered, there is nothing to ask. */
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
