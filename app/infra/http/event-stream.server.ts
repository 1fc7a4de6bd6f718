const BEAT = 20_000;
const RECONNECT_AFTER = 1000;

/** Server-sent events; `begin` gets what sends one and what ends the stream, and returns what to do when it is over. */
type Begin = (send: (data: unknown) => void, end: () => void) => () => void;

/** So many streams may one person hold in this process: one a browser, and some that are not known to be gone yet. */
const MOST = 20;

/** By whose they are, each person's oldest first. */
const open = new Map<string, Set<() => void>>();

/** One more stream of `whose`; the oldest ends when that is too many. */
export function eventStream(signal: AbortSignal, whose: string, begin: Begin): Response {
  let over = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      let finish = () => {};
      const end = () => {
        over();
        controller.close();
      };
      const beat = setInterval(() => write("event: beat\ndata:\n\n"), BEAT);
      const own = open.get(whose) ?? new Set();
      open.set(whose, own.add(end));
      over = () => {
        over = () => {};
        clearInterval(beat);
        own.delete(end);
        if (own.size === 0) open.delete(whose);
        finish();
      };
      const [oldest] = own;
      if (own.size > MOST) oldest?.();
      signal.addEventListener("abort", () => over(), { once: true });
      write(`retry: ${RECONNECT_AFTER}\n\n`);
      finish = begin((data) => write(`data: ${JSON.stringify(data)}\n\n`), end);
    },
    cancel: () => over(),
  });
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
  });
}

/** Ends every stream, as when the process stops: the browsers come back to the next one. */
export function endStreams(): void {
  for (const own of open.values()) for (const end of own) end();
}
