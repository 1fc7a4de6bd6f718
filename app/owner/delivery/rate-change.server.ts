import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { formatUsd } from "#app/money/format.ts";
import { MOST_CENTS, usdCents } from "#app/money/money.ts";
import { changedCents, type NairaStep, type SumChange } from "#app/owner/prices/sum-change.ts";
import { planShipping } from "../shipping-plan.server.ts";
import { type Stale, stale } from "../stale.ts";
import { changePlaces, deliveryPlaces, tablesOf } from "./rates.server.ts";
import { type PlaceEdit, placeKey, RATE_KINDS, type RateKind } from "./rates.ts";

/** Which rates change, by how much, and rounded to a multiple of how many naira. */
export type ChangeOfMany = { kinds: readonly RateKind[]; by: SumChange; step: NairaStep };

/** A rate before and after a change, in cents. `name` as in `DeliveryPlace`. */
export type ChangedRate = { kind: RateKind; name: string; was: number; now: number };

/** `isDoubtful`: the rate looks like a mistake, by the rules of an import. */
export type PreviewedRate = ChangedRate & { isDoubtful: boolean };

/** Previews the change of many rates at this exchange rate, including those that stay. Changes nothing. */
export async function previewChange(
  on: Db,
  { kinds, by, step }: ChangeOfMany,
  rate: Rate,
): Promise<{ rates: PreviewedRate[] } | { problem: string }> {
  const places = await deliveryPlaces(on);
  const rates = RATE_KINDS.filter((kind) => kinds.includes(kind))
    .flatMap((kind) => places.filter((place) => place.kind === kind))
    .map(({ kind, name, rateCents: was }) => ({ kind, name, was, now: changedCents(was, by, step, rate) }));
  const wrong = rates.find(({ now }) => now < 0 || now > MOST_CENTS);
  if (wrong) return { problem: `Too much: ${wrong.name} costs ${formatUsd(usdCents(wrong.was))} now` };
  const after = new Map(rates.map((one) => [placeKey(one), one.now]));
  const { changed } = await planShipping(
    on,
    tablesOf(places.map((place) => ({ ...place, rateCents: after.get(placeKey(place)) ?? place.rateCents }))),
  );
  const doubtful = new Set(changed.flatMap(({ name, isDoubtful }) => (isDoubtful ? name : [])));
  return { rates: rates.map((one) => ({ ...one, isDoubtful: doubtful.has(placeKey(one)) })) };
}

/**
 * Makes a change that was previewed, of all rates or none. `theirs` has a line for each rate that somebody else has
 * changed since. Safe to repeat.
 */
export async function changeMany(
  on: Db,
  by: Actor,
  rates: ChangedRate[],
): Promise<{ ok: true; what: string } | Stale<{ theirs: string[] }>> {
  const places = new Map((await deliveryPlaces(on)).map((place) => [placeKey(place), place]));
  const edits = rates.map(({ kind, name, was, now }): PlaceEdit => {
    const { details = {} } = places.get(placeKey({ kind, name })) ?? {};
    return { kind, name, was: { rateCents: was, details }, now: { rateCents: now, details } };
  });
  const done = await changePlaces(on, by, edits, true);
  if (done.ok) return done;
  const theirs = rates.flatMap((one) => {
    const cents = places.get(placeKey(one))?.rateCents;
    if (cents === one.was || cents === one.now) return [];
    return `${placeKey(one)}: ${shown(one.was)} in the preview, ${cents === undefined ? "removed" : shown(cents)} now`;
  });
  return stale({ theirs });
}

const shown = (cents: number) => formatUsd(usdCents(cents));
