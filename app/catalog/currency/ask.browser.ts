import { useSyncExternalStore } from "react";

let isOpen = false;
let goOn: (() => void) | undefined;
const listeners = new Set<() => void>();

function setOpen(open: boolean): void {
  isOpen = open;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the currency dialog. `then` is called after a choice, but not if the dialog is closed without one. */
export function askCurrency(then?: () => void): void {
  goOn = then;
  setOpen(true);
}

/** The state of the currency dialog. `answered` has to be called after a choice. */
export function useAskedCurrency(): { isOpen: boolean; close(): void; answered(): void } {
  const open = useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
  const close = () => setOpen(false);
  const answered = () => {
    close();
    goOn?.();
  };
  return { isOpen: open, close, answered };
}
