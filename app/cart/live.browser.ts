import { type Cart, countUnits } from "./cart.ts";

export type LiveCart = { version: number; count: number };

/** In ms. The server's stream beats every 20 s: after such a silence it is dead, whatever the browser thinks. */
const SILENCE = 45_000;
const LOOK = 15_000;
/** Where streams do not get through, the cart is asked for this often. */
const POLL = 30_000;

let following: { whose: string; ending: AbortController } | undefined;

/**
 * Follows this shopper's cart, from now on no other one; null: nobody's. One stream a browser: the tab that holds the lock listens and hands on
 * what it hears; when it closes, another one takes over.
 */
export function followLive(whose: string | null, heard: (now: LiveCart) => void): void {
  if (whose === (following?.whose ?? null)) return;
  following?.ending.abort();
  following = undefined;
  if (!whose || typeof BroadcastChannel === "undefined" || !navigator.locks) return;
  const now = { whose, ending: new AbortController() };
  following = now;
  const channel = new BroadcastChannel("irepo-cart");
  channel.onmessage = ({ data }: MessageEvent<LiveCart>) => heard(data);
  now.ending.signal.addEventListener("abort", () => {
    channel.close();
    if (following === now) following = undefined;
  });
  const tell = (word: LiveCart) => {
    heard(word);
    channel.postMessage(word);
  };
  void navigator.locks.request("irepo-live", () => listen(tell, now.ending));
}

/** Ends with `ending`, which it aborts itself when nobody is signed in any more. */
function listen(tell: (now: LiveCart) => void, ending: AbortController): Promise<void> {
  return new Promise((resolve) => {
    if (ending.signal.aborted) return resolve();
    let source: EventSource | undefined;
    let lastWord = 0;

    function connect(): void {
      source?.close();
      const stream = new EventSource("/api/live");
      source = stream;
      lastWord = Date.now();
      let hasSpoken = false;
      stream.onmessage = ({ data }) => {
        lastWord = Date.now();
        hasSpoken = true;
        tell(JSON.parse(data));
      };
      stream.addEventListener("beat", () => {
        lastWord = Date.now();
      });
      // Mostly the browser connects again by itself; after a refusal it does not.
      stream.onerror = () => {
        if (stream === source && stream.readyState === EventSource.CLOSED) setTimeout(ask, hasSpoken ? 0 : POLL);
      };
    }
    async function ask(): Promise<void> {
      if (ending.signal.aborted) return;
      const response = await fetch("/api/cart").catch(() => undefined);
      if (ending.signal.aborted) return;
      if (response?.status === 401) return ending.abort();
      if (response?.ok) {
        const { version, lines } = (await response.json()) as Cart;
        tell({ version, count: countUnits(lines) });
      }
      connect();
    }
    function lookAgain(): void {
      if (source?.readyState !== EventSource.CLOSED && Date.now() - lastWord > SILENCE) connect();
    }
    const { signal } = ending;
    const timer = setInterval(lookAgain, LOOK);
    addEventListener("online", connect, { signal });
    addEventListener("visibilitychange", lookAgain, { signal });
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      source?.close();
      resolve();
    });
    connect();
  });
}
