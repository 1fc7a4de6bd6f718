import type { Db } from "#app/infra/database/db.server.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { awaitedOrder } from "#app/orders/news/awaited.server.ts";
import type { AwaitedOrder } from "#app/orders/news/news.ts";
import type { OrderView } from "#app/orders/view.ts";
import { paymentStatus } from "./status.server.ts";

/** The result of looking at a pending transfer. `isAnswered` is false while the provider cannot be reached. */
export type Awaited =
  | { outcome: "awaited"; awaited: AwaitedOrder; order: OrderView; isAnswered: boolean }
  | { outcome: "sold" | "refunding"; reference: string }
  /** The provider says that the transfer failed: nothing was charged. */
  | { outcome: "unpaid" };

/** Asks the provider about the shopper's pending transfer. Undefined if there is none. Safe to repeat. */
export async function lookAtAwaited(on: Db, userId: string): Promise<Awaited | undefined> {
  const awaited = await awaitedOrder(on, userId);
  if (!awaited) return;
  const { reference } = awaited;
  const outcome = (await paymentStatus(on, userId, reference))?.outcome;
  if (outcome === "sold" || outcome === "refunding") return { outcome, reference };
  if (outcome === "unpaid") return { outcome };
  const order = await getOrder(on, userId, reference);
  const now = await awaitedOrder(on, userId); // the settlement may have extended the reservation
  return order && { outcome: "awaited", awaited: now ?? awaited, order, isAnswered: outcome === "pending" };
}
