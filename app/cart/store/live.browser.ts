import { isNumber, isObject } from "#app/infra/guards.ts";
import { isCart } from "../answer.ts";
import { countUnits } from "../cart.ts";

export type LiveCart = { version: number; count: number };
const isLiveCart = isObject<LiveCart>({ version: isNumber, count: isNumber });

/**
 * In ms. The server sends a heartbeat every 20 s, so a stream that is silent for longer is dead, even if the browser
 * reports it as open.
 */
const SILENCE = 45_000;
const LOOK_EVERY = 15_000;
/** In ms. The interval at which the cart is fetched where event streams are blocked. */
const POLL_EVERY = 30_000;

let following: { userId: string; ending: AbortController } | undefined;

/**
 * Follows this shopper's cart, or with null no cart; an earlier subscription ends. All tabs of a browser share one
 * stream: the tab with the lock listens and broadcasts to the others. When that tab closes, another tab gets the lock.
 */
export function followCart(userId: string | null, onChange: (now: LiveCart) => void): void {
  if (userId === (following?.userId ?? null)) return;
  following?.ending.abort();
  following = undefined;
  if (!userId || typeof BroadcastChannel === "undefined" || !navigator.locks) return;
  const now = { userId, ending: new AbortController() };
  following = now;
  const channel = new BroadcastChannel("irepo-cart");
  channel.onmessage = ({ data }) => isLiveCart(data) && onChange(data);
  now.ending.signal.addEventListener("abort", () => {
    channel.close();
    if (following === now) following = undefined;
  });
  const announce = (cart: LiveCart) => {
    onChange(cart);
    channel.postMessage(cart);
  };
  void navigator.locks.request("irepo-live", () => listen(announce, now.ending));
}

/** Resolves when `ending` is aborted. It aborts `ending` itself if the server responds that nobody is signed in. */
function listen(announce: (now: LiveCart) => void, ending: AbortController): Promise<void> {
  return new Promise((resolve) => {
    if (ending.signal.aborted) return resolve();
    let source: EventSource | undefined;
    let lastSignAt = 0;

    function connect(): void {
      source?.close();
      const stream = new EventSource("/api/live");
      source = stream;
      lastSignAt = Date.now();
      let hasSent = false;
      stream.onmessage = ({ data }) => {
        lastSignAt = Date.now();
        hasSent = true;
        const now: unknown = JSON.parse(data);
        if (isLiveCart(now)) announce(now);
      };
      stream.addEventListener("beat", () => {
        lastSignAt = Date.now();
      });
      // Browsers usually reconnect by themselves, but not after an error response.
      stream.onerror = () => {
        if (stream === source && stream.readyState === EventSource.CLOSED) setTimeout(poll, hasSent ? 0 : POLL_EVERY);
      };
    }
    async function poll(): Promise<void> {
      if (ending.signal.aborted) return;
      const response = await fetch("/api/cart").catch(() => undefined);
      if (ending.signal.aborted) return;
      if (response?.status === 401) return ending.abort();
      const cart: unknown = response?.ok ? await response.json() : undefined;
      if (isCart(cart)) announce({ version: cart.version, count: countUnits(cart.lines) });
      connect();
    }
    function reconnectIfSilent(): void {
      if (source?.readyState !== EventSource.CLOSED && Date.now() - lastSignAt > SILENCE) connect();
    }
    const { signal } = ending;
    const timer = setInterval(reconnectIfSilent, LOOK_EVERY);
    addEventListener("online", connect, { signal });
    addEventListener("visibilitychange", reconnectIfSilent, { signal });
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      source?.close();
      resolve();
    });
    connect();
  });
}
