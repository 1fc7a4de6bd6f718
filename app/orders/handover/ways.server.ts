import { sql } from "kysely";
import type { ShippingDetails } from "#db/types.ts";
import { handoverWay } from "./ways.ts";

/** A condition in SQL: whether the owner has switched on the code for the way of delivery of such an order. */
export function asksForCode(shipping: ShippingDetails) {
  return sql<boolean>`exists (select from handover_ways where way = ${handoverWay(shipping) ?? ""})`;
}
