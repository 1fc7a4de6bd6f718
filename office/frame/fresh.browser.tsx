import { useEffect } from "react";
import { type ClientActionFunctionArgs, useNavigation, useRevalidator } from "react-router";
import { noteAway, whyFailed } from "../connection/away.browser.ts";

/**
 * In ms: the interval between two refreshes of a screen, and the time after which a refresh without a response no
 * longer blocks the next one.
 */
const LOOK_EVERY = 10_000;
const NO_ANSWER = 30_000;

/**
 * Refreshes the screen's data while the window is visible, or `alsoHidden`. A refresh never interrupts a navigation or
 * an earlier refresh.
 */
export function useFresh(every = LOOK_EVERY, alsoHidden = false): void {
  const { revalidate } = useRevalidator();
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    let busyUntil = 0;
    const look = async () => {
      const isSeen = alsoHidden || document.visibilityState === "visible";
      if (!isSeen || Date.now() < busyUntil) return;
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
  }, [revalidate, isIdle, every, alsoHidden]);
}

/** Like `useFresh`, for screens that refresh only while this component is mounted. */
export function Fresh({ every }: { every?: number }) {
  useFresh(every);
  return null;
}

/**
 * A route's `clientAction`. If no response arrives, the form keeps its input and shows a message. The message says that
 * the change may have been made: otherwise a member might, for example, refund a second time. A repeated submit makes
 * the change only once, or its response tells what was done.
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
        ? "No connection, so nothing was changed. What you typed is still here."
        : "There was no answer, so we can’t tell whether it was done. What you typed is still here. Press again: nothing is ever done twice.";
    return { ok: false, isOffline: true, problem };
  }
}

/**
 * Returns the reason for a refusal as a sentence, followed by `nothing`. If no response arrived, `nothing` is left out,
 * because the change may have been made.
 */
export function notDoneText(refused: { problem: string }, nothing = "Nothing was changed."): string {
  return "isOffline" in refused ? refused.problem : `${refused.problem}. ${nothing}`;
}

/** The `shouldRevalidate` of a route with `keepWhatIsTyped`: without a response, no data is loaded again. */
export function unlessOffline({
  actionResult,
  defaultShouldRevalidate,
}: {
  actionResult?: { isOffline?: boolean };
  defaultShouldRevalidate: boolean;
}): boolean {
  return !actionResult?.isOffline && defaultShouldRevalidate;
}

/** Like `unlessOffline`, but also reloads the data after a refusal, which may be due to changes by other members. */
export function alsoAfterRefusal({ actionResult }: { actionResult?: { isOffline?: boolean } }): boolean {
  return !actionResult?.isOffline;
}
