import { centsFromDollars, dollarText, usdCents } from "#app/money/money.ts";
import type { PlaceRate, RateKind } from "#app/owner/delivery/rates.ts";
import { PICKUP_DETAILS } from "#app/shipping/shipping.ts";

/** What can be typed of a place. */
const FIELDS = ["dollars", ...PICKUP_DETAILS] as const;
export type PlaceField = (typeof FIELDS)[number];
export type TypedFields = Partial<Record<PlaceField, string>>;

export const FIELD_TITLES: Record<PlaceField, string> = {
  dollars: "Rate",
  state: "State",
  address: "Address",
  landmark: "Landmark",
  hours: "Hours",
  bring: "What to bring",
};

/** What is being changed of a place. `was`: what it was when that began; only what is in `typed` is changed, the rest is as the shop has it. */
export type Draft = { kind: RateKind; name: string; was: PlaceRate | null; typed: TypedFields; isGone: boolean };

type Place = PlaceRate | null;

/** What stands in a field; empty where nothing does. */
export function fieldText(place: Place, field: PlaceField): string {
  if (!place) return "";
  return field === "dollars" ? dollarText(usdCents(place.rateCents)) : (place.details[field] ?? "");
}

/** What stands in a field of what is being changed. A place that somebody else has removed is still as it was. */
export function draftText({ typed, was }: Draft, now: Place, field: PlaceField): string {
  return typed[field] ?? fieldText(now ?? was, field);
}

/** What the place is to be; undefined where what is typed is no sum. */
export function wanted(draft: Draft, now: Place): Place | undefined {
  if (draft.isGone) return null;
  const rateCents = centsFromDollars(draftText(draft, now, "dollars"));
  const said = PICKUP_DETAILS.flatMap((name) => {
    const text = draftText(draft, now, name).trim();
    return text ? [[name, text] as const] : [];
  });
  return rateCents === undefined ? undefined : { rateCents, details: Object.fromEntries(said) };
}

const differing = (one: Place, other: Place) =>
  FIELDS.filter((field) => fieldText(one, field) !== fieldText(other, field));

/** Whether two are the same in what is shown of them. */
function isSame(one: Place, other: Place): boolean {
  return (one === null) === (other === null) && differing(one, other).length === 0;
}

/** Whether something is to be saved; what is no sum is, and cannot be. */
export function isChange(draft: Draft, now: Place): boolean {
  const then = wanted(draft, now);
  if (then === undefined)
    return now !== null || draft.kind !== "state" || draftText(draft, now, "dollars").trim() !== "";
  return !isSame(then, now);
}

/** The same with more of it typed; undefined where nothing of it differs from what the shop has, so that there is nothing to keep. */
export function typedInto(
  draft: Draft,
  now: Place,
  { isGone = draft.isGone, ...fields }: TypedFields & { isGone?: boolean },
) {
  const all = Object.entries({ ...draft.typed, ...fields }) as [PlaceField, string][];
  const typed: TypedFields = Object.fromEntries(all.filter(([field, text]) => text !== fieldText(now, field)));
  const isNew = draft.was === null && draft.kind !== "state";
  return isGone || isNew || Object.keys(typed).length > 0 ? { ...draft, typed, isGone } : undefined;
}

/** What somebody else has made of a place meanwhile. `against`: where that is not what is typed here; `beside`: the rest, which stays as theirs. */
export type Others = { theirs: Place; against: PlaceField[]; beside: PlaceField[] };

export function others(draft: Draft, now: Place): Others | undefined {
  const { was, typed, isGone } = draft;
  if (isSame(now, was) || isSame(now, wanted(draft, now) ?? was)) return;
  const changed = differing(now, was);
  if (isGone || !now) return { theirs: now, against: changed, beside: [] };
  const isAgainst = (field: PlaceField) => typed[field] !== undefined && typed[field]?.trim() !== fieldText(now, field);
  const against = changed.filter(isAgainst);
  const beside = changed.filter((field) => typed[field] === undefined);
  return against.length + beside.length > 0 ? { theirs: now, against, beside } : undefined;
}

/** Their change is known, and gives way where something is typed here. */
export function withMine(draft: Draft, now: Place): Draft {
  if (now) return { ...draft, was: now };
  const whole = Object.fromEntries(FIELDS.map((field) => [field, draftText(draft, now, field)] as const));
  return { ...draft, was: null, typed: whole };
}

/** Theirs stands where the two differ; undefined where nothing is left to be changed. */
export function withTheirs(draft: Draft, now: Place): Draft | undefined {
  if (draft.isGone || !now) return;
  const against = others(draft, now)?.against ?? [];
  const kept = Object.entries(draft.typed).filter(([field]) => !against.some((one) => one === field));
  return kept.length === 0 ? undefined : { ...draft, was: now, typed: Object.fromEntries(kept) };
}
