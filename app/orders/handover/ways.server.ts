import { sql } from "kysely";
import type { ShippingDetails } from "#db/types.ts";
import { handoverWay } from "./ways.ts";

/**
 * A condition in SQL: whether the owner has switched on the code for the way of delivery of such an order. Never for an
 * order without an account: its customer has no page that shows the code.
 */
export function asksForCode({ shipping, userId }: { shipping: ShippingDetails; userId: string | null }) {
  const way = userId === null ? undefined : handoverWay(shipping);
  return sql<boolean>`exists (select from handover_ways where way = ${way ?? ""})`;
}
