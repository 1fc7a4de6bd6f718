import { useSyncExternalStore } from "react";
import { isRouteErrorResponse } from "react-router";

/** The start of an outage and its cause: the network, or the office itself, for example if its database is down. */
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

/**
 * Records that a request failed. `wanted`: the URL of the screen that could not be opened, by default the earlier one.
 */
export function noteAway(why: Away["why"], wanted = known.wanted): void {
  const since = known.away?.since ?? new Date();
  if (known.away?.why !== why || known.wanted !== wanted) put({ away: { since, why }, wanted });
}

/** Records that the office responds again. */
export function noteBack(): void {
  if (known.away) put({ wanted: known.wanted });
}

/** Forgets the wanted screen, because it is open now or the member stays on another screen. */
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

/** Returns the cause of a failed request. Undefined if the office has refused or redirected the request. */
export function whyFailed(error: unknown): Away["why"] | undefined {
  if (error instanceof Response) return undefined;
  if (isRouteErrorResponse(error)) return error.status >= 500 ? "office" : undefined;
  const isNetwork = error instanceof TypeError || (error instanceof Error && error.cause instanceof TypeError);
  return isNetwork ? "network" : "office";
}

/**
 * Runs a request beside the screen's own. If the network or the office fails, the outage is recorded, the screen stays,
 * and the result is `instead`. Other errors are rethrown.
 */
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
