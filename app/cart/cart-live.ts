import { type Cart, countUnits } from "./cart.ts";

export type LiveCart = { version: number; count: number };

/** In ms. The server's stream beats every 20 s: after such a silence it is dead, whatever the browser thinks. */
const SILENCE = 45_000;
const LOOK = 15_000;
/** Where streams do not get through, the cart is asked for this often. */
const POLL = 30_000;

let following = false;

/** One stream a browser: the tab that holds the lock listens and hands on what it hears; when it closes, another one takes over. */
export function followLive(heard: (now: LiveCart) => void): void {
  if (following || typeof BroadcastChannel === "undefined" || !navigator.locks) return;
  following = true;
  const channel = new BroadcastChannel("irepo-cart");
  channel.onmessage = ({ data }: MessageEvent<LiveCart>) => heard(data);
  const tell = (now: LiveCart) => {
    heard(now);
    channel.postMessage(now);
  };
  void navigator.locks.request("irepo-live", () => listen(tell));
}

/** Ends when nobody is signed in any more. */
function listen(tell: (now: LiveCart) => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined;
    let lastWord = 0;

    function connect(): void {
      source?.close();
      const stream = new EventSource("/api/live");
      source = stream;
      lastWord = Date.now();
      stream.onmessage = ({ data }) => {
        lastWord = Date.now();
        tell(JSON.parse(data));
      };
      stream.addEventListener("beat", () => {
        lastWord = Date.now();
      });
      // Mostly the browser connects again by itself; after a refusal it does not.
      stream.onerror = () => {
        if (stream === source && stream.readyState === EventSource.CLOSED) setTimeout(ask, POLL);
      };
    }
    async function ask(): Promise<void> {
      const response = await fetch("/api/cart").catch(() => undefined);
      if (response?.status === 401) return end();
      if (response?.ok) {
        const { version, lines } = (await response.json()) as Cart;
        tell({ version, count: countUnits(lines) });
      }
      connect();
    }
    function lookAgain(): void {
      if (source?.readyState !== EventSource.CLOSED && Date.now() - lastWord > SILENCE) connect();
    }
    const timer = setInterval(lookAgain, LOOK);
    addEventListener("online", connect);
    addEventListener("visibilitychange", lookAgain);
    function end(): void {
      clearInterval(timer);
      removeEventListener("online", connect);
      removeEventListener("visibilitychange", lookAgain);
      resolve();
    }
    connect();
  });
}
