const BEAT = 20_000;
const RECONNECT_AFTER = 1000;

/** Server-sent events; `begin` gets what sends one and what ends the stream, and returns what to do when it is over. */
type Begin = (send: (data: unknown) => void, end: () => void) => () => void;

const open = new Set<() => void>();

export function eventStream(signal: AbortSignal, begin: Begin): Response {
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
      over = () => {
        over = () => {};
        clearInterval(beat);
        open.delete(end);
        finish();
      };
      open.add(end);
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
  for (const end of open) end();
}
