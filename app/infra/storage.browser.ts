/** What local storage has not taken; null: what should be gone from there. */
const untaken = new Map<string, string | null>();
type Listener = (key: string | null, isElsewhere: boolean) => void;
const listeners = new Set<Listener>();

/** Reads local storage; where the browser refuses it or it is full, the memory of this page stands in. */
export function readStored(key: string): string | null {
  const kept = untaken.get(key);
  if (kept !== undefined) return kept;
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // refused: nothing was ever kept there
  }
}

/** An object that is kept as JSON and has all of these parts; undefined where there is none, or somebody else's words stand there. */
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

/**
 * Tells of each change, of this tab and of others; a key of null: all may be different, as in a page that the browser brings back from its memory.
 * Returns how to stop that.
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
