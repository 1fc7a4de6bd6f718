import { channel, tracingChannel } from "node:diagnostics_channel";
import type { SpanName } from "./tracing/current.server.ts";

// Channels that feed metrics and traces. Without METRICS_PORT and OTEL_* they have no subscriber, and publishing costs
// next to nothing.

/** "hit" or "miss" for each request of a shared page. */
export const pageCacheChannel = channel("irepo:page-cache");

/** A run of a job, in the trace of the request that enqueued it. `error` is set if the run has failed. */
export type JobRun = { name: string; traceparent?: string; startedAt?: number; error?: unknown };
export const jobChannel = tracingChannel<JobRun, SpanName>("irepo:job");

/** A request to another server. `status` is set once the response has arrived; a subscriber may add headers. */
export type OutboundRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  startedAt?: number;
  status?: number;
};
export const outboundChannel = tracingChannel<OutboundRequest, SpanName>("irepo:outbound-request");

/**
 * A statement that the database has executed or refused; `duration` is in ms. `sql` has placeholders in place of the
 * values.
 */
export type Statement = { sql: string; duration: number; error?: unknown };
export const statementChannel = tracingChannel<Statement>("irepo:statement");

/** A step of work that began in another request, whose trace it continues. */
export type Step = { name: string; traceparent?: string; error?: unknown };
export const stepChannel = tracingChannel<Step, SpanName>("irepo:step");
