import { stepChannel } from "#app/infra/channels.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { currentTrace } from "#app/infra/tracing/current.server.ts";

/** Keeps the trace in which a payment is opened: what comes of it later, in other requests and processes, is told there. */
export async function keepTrace(on: Db, reference: string): Promise<void> {
  const traceparent = currentTrace();
  if (traceparent) await on.updateTable("payments").set({ traceparent }).where("reference", "=", reference).execute();
}

/** Does a part of a purchase, in its trace. Where nothing is traced, no more than that. */
export async function inTraceOf<T>(on: Db, reference: string, name: string, work: () => Promise<T>): Promise<T> {
  if (!stepChannel.asyncEnd.hasSubscribers) return work();
  const payment = await on
    .selectFrom("payments")
    .select("traceparent")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return stepChannel.tracePromise(work, { name, traceparent: payment?.traceparent ?? undefined });
}
