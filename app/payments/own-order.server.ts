import { data } from "react-router";
import type { Db } from "#app/infra/database/db.server.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { noteNotOwn } from "./status.server.ts";

/** A shopper's own order. Throws a response with status 404 if it does not exist or is another shopper's. */
export async function ownOrder(on: Db, userId: string, reference: string) {
  const order = await getOrder(on, userId, reference);
  if (order) return order;
  await noteNotOwn(on, userId, reference);
  throw data(null, { status: 404 });
}
