import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type Carrier, readCarriers, trackingUrl } from "./carrier.ts";

/** The carriers whose addresses the owner has set. */
export async function shopCarriers(on: Db | Transaction): Promise<Carrier[]> {
  const row = await on.selectFrom("shopSettings").select("carriers").executeTakeFirst();
  return readCarriers(row?.carriers ?? "");
}

/** The address at which the parcel's carrier shows it. Undefined if it is unknown. */
export async function trackingUrlOf(
  on: Db | Transaction,
  parcel: { carrier?: string | null; tracking?: string | null },
): Promise<string | undefined> {
  return parcel.carrier && parcel.tracking ? trackingUrl(await shopCarriers(on), parcel) : undefined;
}
