import { stepChannel } from "#app/infra/channels.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { currentTrace } from "#app/infra/tracing/current.server.ts";

/**
 * Stores the trace in which a payment is opened, so that later requests and other processes continue the same trace.
 */
export async function keepTrace(on: Db, reference: string): Promise<void> {
  const traceparent = currentTrace();
  if (traceparent) await on.updateTable("payments").set({ traceparent }).where("reference", "=", reference).execute();
}

/** Runs `work` as a step in the trace of the payment's purchase, if that was traced. */
export async function inTraceOf<T>(on: Db, reference: string, name: string, work: () => Promise<T>): Promise<T> {
  if (!stepChannel.asyncEnd.hasSubscribers) return work();
  const payment = await on
    .selectFrom("payments")
    .select("traceparent")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return stepChannel.tracePromise(work, { name, traceparent: payment?.traceparent ?? undefined });
}
