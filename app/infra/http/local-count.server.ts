/** The most keys that are kept; beyond that the oldest ones are dropped. */
const MOST = 10_000;

export type Window = { count: number; endsAt: number };

/** Counts calls by key in this process alone, starting again after `within` ms. */
export function localCount(within: number): (key: string) => Readonly<Window> {
  const windows = new Map<string, Window>();
  return (key) => {
    const now = performance.now();
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      windows.delete(key);
      window = { count: 0, endsAt: now + within };
      windows.set(key, window);
      const [oldest] = windows.keys();
      if (windows.size > MOST && oldest !== undefined) windows.delete(oldest);
    }
    window.count++;
    return window;
  };
}
