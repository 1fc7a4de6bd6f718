import { useRef, useState } from "react";
import { centsFromDollars, dollarText, usdCents } from "#app/money/money.ts";
import { type DeliveryPlace, type PlaceRate, placeKey, type RateKind } from "#app/owner/delivery/rates.ts";

/** What is being changed of a place, as it is typed. `was`: what it was when that began. */
export type Draft = {
  kind: RateKind;
  name: string;
  was: PlaceRate | null;
  dollars: string;
  details: Record<string, string>;
  isGone: boolean;
};

export const dollarsOf = (place: PlaceRate | null | undefined) => (place ? dollarText(usdCents(place.rateCents)) : "");

/** What the place is to be; undefined where what is typed is no sum. */
export function wanted({ dollars, details, isGone }: Draft): PlaceRate | null | undefined {
  if (isGone) return null;
  const rateCents = centsFromDollars(dollars);
  const said = Object.entries(details).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()] as const] : []));
  return rateCents === undefined ? undefined : { rateCents, details: Object.fromEntries(said) };
}

/** Whether two are the same in what is shown of them. */
export function isSame(one: PlaceRate | null | undefined, other: PlaceRate | null | undefined): boolean {
  if (!one || !other) return (one ?? null) === (other ?? null);
  return one.rateCents === other.rateCents && hasSameDetails(one.details, other.details);
}

function hasSameDetails(one: Record<string, string>, other: Record<string, string> = {}): boolean {
  return [...Object.keys(one), ...Object.keys(other)].every((name) => (one[name] ?? "") === (other[name] ?? ""));
}

/** Whether something is to be saved; what is no sum is, and cannot be. */
export function isChange(draft: Draft): boolean {
  const now = wanted(draft);
  if (now === undefined) return draft.was !== null || draft.kind !== "state" || draft.dollars.trim() !== "";
  return !isSame(now, draft.was);
}

/** The changes that have been typed and not been saved, by place. */
export function useDrafts(places: DeliveryPlace[]) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  // What was saved here counts before the places that are read anew have come.
  const [saved, setSaved] = useState<{ over: DeliveryPlace[]; places: ReadonlyMap<string, PlaceRate | null> }>();
  const sent = useRef<ReadonlyMap<string, Draft>>(new Map());
  const current = new Map(places.map((place) => [placeKey(place), place]));
  const nowOf = (key: string): PlaceRate | null => {
    if (saved?.over === places && saved.places.has(key)) return saved.places.get(key) ?? null;
    const place = current.get(key);
    return place ? { rateCents: place.rateCents, details: place.details } : null;
  };
  const begun = (kind: RateKind, name: string): Draft => {
    const was = nowOf(placeKey({ kind, name }));
    return { kind, name, was, dollars: dollarsOf(was), details: was?.details ?? {}, isGone: false };
  };
  const put = (draft: Draft) => {
    const next = new Map(drafts);
    const isTyped =
      draft.dollars !== dollarsOf(draft.was) || draft.isGone || !hasSameDetails(draft.details, draft.was?.details);
    if (!isTyped && (draft.was !== null || draft.kind === "state")) next.delete(placeKey(draft));
    else next.set(placeKey(draft), draft);
    setDrafts(next);
  };
  return {
    all: [...drafts.values()],
    of: (kind: RateKind, name: string) => drafts.get(placeKey({ kind, name })),
    current: (kind: RateKind, name: string) => nowOf(placeKey({ kind, name })),
    change(kind: RateKind, name: string, part: Partial<Pick<Draft, "dollars" | "details" | "isGone">>) {
      put({ ...(drafts.get(placeKey({ kind, name })) ?? begun(kind, name)), ...part });
    },
    drop(...dropped: { kind: RateKind; name: string }[]) {
      const next = new Map(drafts);
      for (const one of dropped) next.delete(placeKey(one));
      setDrafts(next);
    },
    dropAll: () => setDrafts(new Map()),
    /** They are on their way to the shop. */
    send() {
      sent.current = drafts;
    },
    /** What was sent is in the shop now; what was typed since then is still to be saved. */
    settle() {
      const there = new Map([...sent.current].map(([key, draft]) => [key, wanted(draft) ?? null]));
      setSaved({ over: places, places: there });
      const typedSince = [...drafts].filter(([key, draft]) => draft !== sent.current.get(key));
      setDrafts(new Map(typedSince.map(([key, draft]) => [key, { ...draft, was: there.get(key) ?? draft.was }])));
    },
    /** What somebody else has made of it meanwhile, and it is not what is meant here. */
    others(draft: Draft): { theirs: PlaceRate | null } | undefined {
      const theirs = nowOf(placeKey(draft));
      return isSame(theirs, draft.was) || isSame(theirs, wanted(draft)) ? undefined : { theirs };
    },
    /** Their change is known, and is to give way. */
    keepMine(draft: Draft) {
      setDrafts(new Map(drafts).set(placeKey(draft), { ...draft, was: nowOf(placeKey(draft)) }));
    },
  };
}
export type Drafts = ReturnType<typeof useDrafts>;
