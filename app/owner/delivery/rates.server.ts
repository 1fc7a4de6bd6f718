import { isDeepStrictEqual } from "node:util";
import type { Actor } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import type { ShippingTables } from "#app/shipping/document.server.ts";
import {
  carryOutShipping,
  isDoubtful,
  lockShippingRates,
  planShipping,
  type ShippingPlan,
} from "../shipping-plan.server.ts";
import { type Stale, stale } from "../stale.ts";
import { type DeliveryPlace, type PlaceEdit, placeKey } from "./rates.ts";

/** All places that the shop delivers to, sorted by name. */
export async function deliveryPlaces(on: Db | Transaction): Promise<DeliveryPlace[]> {
  return on.selectFrom("shippingRates").selectAll().orderBy("name").execute();
}

/**
 * `doubt`: the change looks like a typing error and needs a confirmation. `theirs`: the keys of places that others have
 * changed.
 */
export type PlacesChanged = { ok: true; what: string } | { ok: false; doubt: string } | Stale<{ theirs: string[] }>;

/** Changes places, all or none. Safe to repeat. */
export async function changePlaces(on: Db, by: Actor, edits: PlaceEdit[], agreed = false): Promise<PlacesChanged> {
  return retryingTransaction(on, async (trx): Promise<PlacesChanged> => {
    await lockShippingRates(trx);
    const places = new Map((await deliveryPlaces(trx)).map((place) => [placeKey(place), place]));
    const others = edits.filter((edit) => {
      const now = places.get(placeKey(edit)) ?? null;
      return !isSame(now, edit.was) && !isSame(now, edit.now);
    });
    if (others.length > 0) return stale({ theirs: others.map(placeKey) });
    for (const { kind, name, now } of edits) {
      if (now) places.set(placeKey({ kind, name }), { kind, name, ...now });
      else places.delete(placeKey({ kind, name }));
    }
    const rates = tablesOf([...places.values()]);
    const plan = await planShipping(trx, rates);
    const count = plan.added.length + plan.changed.length + plan.dropped.length;
    if (count === 0) return { ok: true, what: "Nothing to change" };
    if (!agreed && isDoubtful(plan)) return { ok: false, doubt: planLines(plan).join("\n") };
    await carryOutShipping(trx, by, "shipping set", rates, plan);
    return { ok: true, what: count === 1 ? "1 place changed" : `${count} places changed` };
  });
}

function isSame(one: PlaceEdit["now"], other: PlaceEdit["now"]): boolean {
  if (!one || !other) return one === other;
  return one.rateCents === other.rateCents && isDeepStrictEqual({ ...one.details }, { ...other.details });
}

export function tablesOf(places: DeliveryPlace[]): ShippingTables {
  return places.map(({ kind, name, rateCents, details }) => ({
    kind,
    name,
    rateCents,
    details: JSON.stringify(details),
  }));
}

/** One line per change. */
function planLines({ added, changed, dropped, freed }: ShippingPlan): string[] {
  return [
    ...added.map(({ name, after }) => `${name}: new, ${after}`),
    ...changed.map(({ name, before, after }) => `${name}: ${before} → ${after}`),
    ...dropped.map(({ name, before }) => `${name}: ${before} → removed`),
    ...(freed.length > 0 ? [`without a rate, so delivery is free: ${freed.join(", ")}`] : []),
  ];
}
