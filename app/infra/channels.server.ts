import { channel, tracingChannel } from "node:diagnostics_channel";
import type { SpanName } from "./tracing/current.server.ts";

// What this process reports to metrics and traces. Without METRICS_PORT and OTEL_* nobody listens, which costs next to nothing.

/** "hit" or "miss" for each request of a shared page. */
export const pageCacheChannel = channel("irepo:page-cache");

/** A job being run, in the trace of whoever asked for it. `error` is there when it has failed. */
export type JobRun = { name: string; traceparent?: string; startedAt?: number; error?: unknown };
export const jobChannel = tracingChannel<JobRun, SpanName>("irepo:job");

/** Another server being asked. `status` is there when it has answered; what listens may add headers. */
export type OutboundRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  startedAt?: number;
  status?: number;
};
export const outboundChannel = tracingChannel<OutboundRequest, SpanName>("irepo:outbound-request");

/** A statement that the database has carried out, or refused; `duration` is in ms. It has the values' places, not the values. */
export type Statement = { sql: string; duration: number; error?: unknown };
export const statementChannel = tracingChannel<Statement>("irepo:statement");

/** A step of work that began in another request, whose trace it continues. */
export type Step = { name: string; traceparent?: string; error?: unknown };
export const stepChannel = tracingChannel<Step, SpanName>("irepo:step");
