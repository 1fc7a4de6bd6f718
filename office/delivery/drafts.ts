import { useState } from "react";
import { type DeliveryPlace, type PlaceRate, placeKey, type RateKind } from "#app/owner/delivery/rates.ts";
import {
  type Draft,
  draftText,
  isChange,
  others,
  type PlaceField,
  type TypedFields,
  typedInto,
  wanted,
  withMine,
  withTheirs,
} from "./draft.ts";

/** The unsaved changes, by place. */
export function useDrafts(places: DeliveryPlace[]) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  // Places saved here. They count until the reloaded places arrive.
  const [saved, setSaved] = useState<{ over: DeliveryPlace[]; places: ReadonlyMap<string, PlaceRate | null> }>();
  const [sent, setSent] = useState<ReadonlyMap<string, Draft>>(new Map());
  const current = new Map(places.map((place) => [placeKey(place), place]));
  const nowOf = (place: { kind: RateKind; name: string }): PlaceRate | null => {
    const key = placeKey(place);
    if (saved?.over === places && saved.places.has(key)) return saved.places.get(key) ?? null;
    const found = current.get(key);
    return found ? { rateCents: found.rateCents, details: found.details } : null;
  };
  const put = (place: { kind: RateKind; name: string }, draft: Draft | undefined) => {
    const next = new Map(drafts);
    if (draft) next.set(placeKey(place), draft);
    else next.delete(placeKey(place));
    setDrafts(next);
  };
  return {
    all: [...drafts.values()],
    of: (kind: RateKind, name: string) => drafts.get(placeKey({ kind, name })),
    current: (kind: RateKind, name: string) => nowOf({ kind, name }),
    /** The text to show in a field: the typed one, or the shop's. */
    text(kind: RateKind, name: string, field: PlaceField): string {
      const now = nowOf({ kind, name });
      return draftText(drafts.get(placeKey({ kind, name })) ?? begun(kind, name, now), now, field);
    },
    change(kind: RateKind, name: string, part: TypedFields & { isGone?: boolean }) {
      const now = nowOf({ kind, name });
      put({ kind, name }, typedInto(drafts.get(placeKey({ kind, name })) ?? begun(kind, name, now), now, part));
    },
    drop: (place: { kind: RateKind; name: string }) => put(place, undefined),
    dropAll: () => setDrafts(new Map()),
    /** Called when the drafts are sent. */
    send: () => setSent(drafts),
    /** Whether nothing was typed since the drafts were sent. */
    isAsSent: drafts === sent,
    /** Called when the sent drafts are saved. Drafts that were changed in the meantime remain unsaved. */
    settle() {
      const there = new Map([...sent].map(([key, draft]) => [key, wanted(draft, nowOf(draft)) ?? null] as const));
      setSaved({ over: places, places: there });
      const typedSince = [...drafts].filter(([key, draft]) => draft !== sent.get(key));
      setDrafts(new Map(typedSince.map(([key, draft]) => [key, { ...draft, was: there.get(key) ?? draft.was }])));
    },
    isChange: (draft: Draft) => isChange(draft, nowOf(draft)),
    wanted: (draft: Draft) => wanted(draft, nowOf(draft)),
    others: (draft: Draft) => others(draft, nowOf(draft)),
    /** Whether the member has to choose between two values before saving. */
    isOpen: (draft: Draft) => (others(draft, nowOf(draft))?.against.length ?? 0) > 0,
    keepMine: (draft: Draft) => put(draft, withMine(draft, nowOf(draft))),
    takeTheirs: (draft: Draft) => put(draft, withTheirs(draft, nowOf(draft))),
  };
}
export type Drafts = ReturnType<typeof useDrafts>;

const begun = (kind: RateKind, name: string, was: PlaceRate | null): Draft => ({
  kind,
  name,
  was,
  typed: {},
  isGone: false,
});
