export type LiveCart = { version: number; count: number };

let following = false;

/** One stream a browser: the tab that holds the lock listens and hands on what it hears; when it closes, another one takes over. */
export function followLive(heard: (now: LiveCart) => void): void {
  if (following || typeof BroadcastChannel === "undefined" || !navigator.locks) return;
  following = true;
  const channel = new BroadcastChannel("irepo-cart");
  channel.onmessage = ({ data }: MessageEvent<LiveCart>) => heard(data);
  void navigator.locks.request("irepo-live", () => listen(heard, channel));
}

function listen(heard: (now: LiveCart) => void, channel: BroadcastChannel): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource("/api/live");
    source.onmessage = (event) => {
      const now = JSON.parse(event.data) as LiveCart;
      heard(now);
      channel.postMessage(now);
    };
    // Refused for good (signed out): the lock is given back. Otherwise the browser connects again by itself.
    source.onerror = () => source.readyState === EventSource.CLOSED && resolve();
  });
}
