import { channel, tracingChannel } from "node:diagnostics_channel";

// What this process tells whoever measures or traces it. Without METRICS_PORT and OTEL_* nobody listens, and telling costs next to nothing.

/** Told "hit" or "miss" for each request of a page that everybody shares. */
export const pageCacheChannel = channel("irepo:page-cache");

/** A job being run. `error` is there when it has failed. */
export type JobRun = { name: string; startedAt?: number; error?: unknown };
export const jobChannel = tracingChannel<JobRun>("irepo:job");

/** Another server being asked. `status` is there when it has answered; what listens may add headers. */
export type OutboundRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  startedAt?: number;
  status?: number;
};
export const outboundChannel = tracingChannel<OutboundRequest>("irepo:outbound-request");
