/** In ms. */
const HEARTBEAT_INTERVAL = 20_000;
const RECONNECT_AFTER = 1000;

/** Gets what sends an event and what ends the stream; returns what is to be done when the stream has ended. */
type Subscribe = (send: (data: unknown) => void, end: () => void) => () => void;

/** So many streams may one user hold in this process: one a browser, and some that are not known to be gone yet. */
const MOST_STREAMS = 20;

/** What ends each stream, by user, each user's oldest first. */
const open = new Map<string, Set<() => void>>();
/** This process stops: a stream whose request was on its way ends at once. */
let stopping = false;

/** How many streams this process holds. */
export function openStreams(): number {
  return [...open.values()].reduce((sum, { size }) => sum + size, 0);
}

/** Answers with server-sent events. One more stream of this user; their oldest ends when that is too many. */
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
      Connection: "close", // whoever comes back as it ends shall not ask over a connection that is being closed
    },
  });
}

/** Ends every stream, now and from now on, since the process stops: the browsers come back to the next one. */
export function endStreams(): void {
  stopping = true;
  for (const own of open.values()) for (const end of own) end();
}
