import { AsyncLocalStorage } from "node:async_hooks";

/** A span's name in the format of W3C's Trace Context. */
export type SpanName = { traceparent: string };

/** The current span; set by open-telemetry.server.ts alone. */
export const currentSpan = new AsyncLocalStorage<SpanName>();

/** The name of the current span for another process (`00-TRACE-SPAN-01`); undefined if nothing is traced. */
export function currentTrace(): string | undefined {
  return currentSpan.getStore()?.traceparent;
}
