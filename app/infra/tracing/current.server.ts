import { AsyncLocalStorage } from "node:async_hooks";

/** A span, as W3C's Trace Context writes it. */
export type SpanName = { traceparent: string };

/** The span under way; set by open-telemetry.server.ts alone. */
export const currentSpan = new AsyncLocalStorage<SpanName>();

/** What names the span under way to another process (`00-TRACE-SPAN-01`); undefined where nothing is traced. */
export function currentTrace(): string | undefined {
  return currentSpan.getStore()?.traceparent;
}
