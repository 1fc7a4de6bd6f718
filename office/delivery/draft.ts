import { centsFromDollars, dollarText, usdCents } from "#app/money/money.ts";
import type { PlaceRate, RateKind } from "#app/owner/delivery/rates.ts";
import { PICKUP_DETAILS } from "#app/shipping/shipping.ts";

/** The fields of a place that can be edited. */
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

/**
 * Unsaved changes of a place. `was` is the place at the beginning of the edit. Only the fields in `typed` are changed;
 * all others have the shop's current values.
 */
export type Draft = { kind: RateKind; name: string; was: PlaceRate | null; typed: TypedFields; isGone: boolean };

type RateOrNone = PlaceRate | null;

/** The value of a field as text. Empty if the place has no such value. */
export function fieldText(place: RateOrNone, field: PlaceField): string {
  if (!place) return "";
  return field === "dollars" ? dollarText(usdCents(place.rateCents)) : (place.details[field] ?? "");
}

/**
 * The text to show in a field of a draft. If another member has removed the place, the values from before that are
 * shown.
 */
export function draftText({ typed, was }: Draft, now: RateOrNone, field: PlaceField): string {
  return typed[field] ?? fieldText(now ?? was, field);
}

/** The place after the draft is saved; null if it is removed. Undefined if the typed rate is not a valid amount. */
export function wanted(draft: Draft, now: RateOrNone): RateOrNone | undefined {
  if (draft.isGone) return null;
  const rateCents = centsFromDollars(draftText(draft, now, "dollars"));
  const details = PICKUP_DETAILS.flatMap((name) => {
    const text = draftText(draft, now, name).trim();
    return text ? [[name, text] as const] : [];
  });
  return rateCents === undefined ? undefined : { rateCents, details: Object.fromEntries(details) };
}

const differing = (one: RateOrNone, other: RateOrNone) =>
  FIELDS.filter((field) => fieldText(one, field) !== fieldText(other, field));

/** Whether two places have the same rate and details. */
function isSame(one: RateOrNone, other: RateOrNone): boolean {
  return (one === null) === (other === null) && differing(one, other).length === 0;
}

/**
 * Whether the draft differs from the shop, so that it has to be saved. A draft with an invalid rate counts as a change,
 * but cannot be saved.
 */
export function isChange(draft: Draft, now: RateOrNone): boolean {
  const then = wanted(draft, now);
  if (then === undefined)
    return now !== null || draft.kind !== "state" || draftText(draft, now, "dollars").trim() !== "";
  return !isSame(then, now);
}

/** The draft with further changes. Undefined if nothing differs from the shop any more. */
export function typedInto(
  draft: Draft,
  now: RateOrNone,
  { isGone = draft.isGone, ...fields }: TypedFields & { isGone?: boolean },
) {
  const all = Object.entries({ ...draft.typed, ...fields }) as [PlaceField, string][];
  const typed: TypedFields = Object.fromEntries(all.filter(([field, text]) => text !== fieldText(now, field)));
  const isNew = draft.was === null && draft.kind !== "state";
  return isGone || isNew || Object.keys(typed).length > 0 ? { ...draft, typed, isGone } : undefined;
}

/**
 * What another member has changed in the same place meanwhile. `against`: fields in which their value differs from the
 * typed one; `beside`: their other changes, which are kept.
 */
export type Others = { theirs: RateOrNone; against: PlaceField[]; beside: PlaceField[] };

export function others(draft: Draft, now: RateOrNone): Others | undefined {
  const { was, typed, isGone } = draft;
  if (isSame(now, was) || isSame(now, wanted(draft, now) ?? was)) return;
  const changed = differing(now, was);
  if (isGone || !now) return { theirs: now, against: changed, beside: [] };
  const isAgainst = (field: PlaceField) => typed[field] !== undefined && typed[field]?.trim() !== fieldText(now, field);
  const against = changed.filter(isAgainst);
  const beside = changed.filter((field) => typed[field] === undefined);
  return against.length + beside.length > 0 ? { theirs: now, against, beside } : undefined;
}

/**
 * The draft after the member has chosen the typed values. Other fields get the shop's current values. A place that was
 * removed is added again as a whole.
 */
export function withMine(draft: Draft, now: RateOrNone): Draft {
  if (now) return { ...draft, was: now };
  const whole = Object.fromEntries(FIELDS.map((field) => [field, draftText(draft, now, field)] as const));
  return { ...draft, was: null, typed: whole };
}

/** The draft after choosing the other member's values wherever the two differ. Undefined if no change remains. */
export function withTheirs(draft: Draft, now: RateOrNone): Draft | undefined {
  if (draft.isGone || !now) return;
  const against = others(draft, now)?.against ?? [];
  const kept = Object.entries(draft.typed).filter(([field]) => !against.some((one) => one === field));
  return kept.length === 0 ? undefined : { ...draft, was: now, typed: Object.fromEntries(kept) };
}
