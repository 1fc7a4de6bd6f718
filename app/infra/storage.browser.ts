/** Values that local storage has refused; null for a key that it has failed to remove. */
const untaken = new Map<string, string | null>();
type Listener = (key: string | null, isElsewhere: boolean) => void;
const listeners = new Set<Listener>();

/**
 * Reads a value from local storage. A value that local storage has refused is kept in this page's memory and read from
 * there.
 */
export function readStored(key: string): string | null {
  const kept = untaken.get(key);
  if (kept !== undefined) return kept;
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // refused: nothing was ever kept there
  }
}

/**
 * An object that is stored as JSON and has all of these properties; undefined if there is none, or something else is
 * stored there.
 */
export function readStoredObject<Kept extends object>(key: string, ...parts: (keyof Kept)[]): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(readStored(key) ?? "null");
    if (typeof kept === "object" && kept && parts.every((part) => part in kept)) return kept as Kept;
  } catch {
    return; // no JSON
  }
}

/** Keeps a value, or removes it (null). */
export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    untaken.delete(key);
  } catch {
    untaken.set(key, value);
  }
  for (const listener of listeners) listener(key, false);
}

/** Whether the value stored last outlives this page. */
export function isKept(key: string): boolean {
  return !untaken.has(key);
}

/**
 * Calls `listener` for each change, in this tab and in others. A key of null means that any value may have changed, as
 * in a page that the browser restores from its back/forward cache. Returns a function that stops this.
 */
export function onStored(listener: Listener): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === null) untaken.clear();
    else untaken.delete(key);
    listener(key, true);
  };
  const wake = ({ persisted }: PageTransitionEvent) => persisted && listener(null, true);
  listeners.add(listener);
  addEventListener("storage", hear);
  addEventListener("pageshow", wake);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", hear);
    removeEventListener("pageshow", wake);
  };
}
