import { useSyncExternalStore } from "react";
import { isRouteErrorResponse } from "react-router";

/** Since when nothing is answered: is it the network, or the office, as when its database is away? */
export type Away = { since: Date; why: "network" | "office" };
type Known = {
  away?: Away;
  /** The address of a screen that could not be opened. */
  wanted?: string;
};

let known: Known = {};
const listeners = new Set<() => void>();

function put(next: Known): void {
  known = next;
  for (const listener of listeners) listener();
}

/** Something could not be done, or with `wanted` not be opened. */
export function noteAway(why: Away["why"], wanted = known.wanted): void {
  const since = known.away?.since ?? new Date();
  if (known.away?.why !== why || known.wanted !== wanted) put({ away: { since, why }, wanted });
}

/** The office has answered. */
export function noteBack(): void {
  if (known.away) put({ wanted: known.wanted });
}

/** It is open, or wanted no more. */
export function forgetWanted(): void {
  if (known.wanted !== undefined) put({ away: known.away });
}

export function useAway(): Known {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => known,
    () => NOTHING,
  );
}

const NOTHING: Known = {};

/** Why something failed: undefined where the office has refused it, or leads elsewhere. */
export function whyFailed(error: unknown): Away["why"] | undefined {
  if (error instanceof Response) return undefined;
  if (isRouteErrorResponse(error)) return error.status >= 500 ? "office" : undefined;
  const isNetwork = error instanceof TypeError || (error instanceof Error && error.cause instanceof TypeError);
  return isNetwork ? "network" : "office";
}

/** For what is asked beside a screen: unanswered, it is `instead`, and the screen stays. */
export async function answerOrNoteAway<Answer, Instead>(
  ask: () => Promise<Answer>,
  instead: Instead,
): Promise<Answer | Instead> {
  try {
    return await ask();
  } catch (error) {
    const why = whyFailed(error);
    if (!why) throw error;
    noteAway(why);
    return instead;
  }
}
