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

/** Opens the choice of currency; `then` follows once one is chosen, and not where the dialog is closed without. */
export function askCurrency(then?: () => void): void {
  goOn = then;
  setOpen(true);
}

/** Whether the choice is to be shown. `answered`: one was chosen. */
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
