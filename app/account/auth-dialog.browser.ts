import { useSyncExternalStore } from "react";

type Shown = "login" | "register" | undefined;
type State = { shown: Shown; next: string };

const CLOSED: State = { shown: undefined, next: "/" };
let state = CLOSED;
const listeners = new Set<() => void>();

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the login (or register) dialog. After the sign-in the shopper goes to the path `next`. */
export function showAuthDialog(shown: "login" | "register", next = "/"): void {
  change({ shown, next });
}

export function useAuthDialog(): State & { show: typeof showAuthDialog; close(): void } {
  const current = useSyncExternalStore(
    subscribe,
    () => state,
    () => CLOSED,
  );
  return { ...current, show: showAuthDialog, close: () => change(CLOSED) };
}
