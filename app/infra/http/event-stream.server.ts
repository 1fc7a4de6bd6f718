/** In ms, like the next one. */
const HEARTBEAT_INTERVAL = 20_000;
/** The time after which a browser reconnects. */
const RECONNECT_AFTER = 1000;

/** Gets functions that send an event and end the stream; returns a function to be called when the stream has ended. */
type Subscribe = (send: (data: unknown) => void, end: () => void) => () => void;

/** The most streams of one user in this process: one per browser, and some whose end was not noticed yet. */
const MOST_STREAMS = 20;

/** The functions that end open streams, by user, each user's oldest first. */
const open = new Map<string, Set<() => void>>();
/** Whether this process stops: a stream that is opened now ends at once. */
let stopping = false;

/** The number of open streams of this process. */
export function openStreams(): number {
  return [...open.values()].reduce((sum, { size }) => sum + size, 0);
}

/** A response of server-sent events. If this user now has too many streams, the oldest one ends. */
export function eventStream(signal: AbortSignal, userId: string, subscribe: Subscribe): Response {
  let release = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      let unsubscribe = () => {};
      const end = () => {
        release();
        controller.close();
      };
      const heartbeat = setInterval(() => write("event: beat\ndata:\n\n"), HEARTBEAT_INTERVAL);
      const own = open.get(userId) ?? new Set();
      open.set(userId, own.add(end));
      release = () => {
        release = () => {};
        clearInterval(heartbeat);
        own.delete(end);
        if (own.size === 0) open.delete(userId);
        unsubscribe();
      };
      const [oldest] = own;
      if (own.size > MOST_STREAMS) oldest?.();
      signal.addEventListener("abort", () => release(), { once: true });
      write(`retry: ${RECONNECT_AFTER}\n\n`);
      if (stopping) return end();
      unsubscribe = subscribe((data) => write(`data: ${JSON.stringify(data)}\n\n`), end);
    },
    cancel: () => release(),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
      Connection: "close", // a browser that reconnects must not use a connection that is being closed
    },
  });
}

/** Ends all streams, also those opened later, because the process stops. Browsers reconnect to another process. */
export function endStreams(): void {
  stopping = true;
  for (const own of open.values()) for (const end of own) end();
}
