import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { readStoredObject, store } from "#app/infra/storage.browser.ts";
import { isSame, meet, pick } from "./merge.ts";

/** `base` has the stored fields from which `mine` was edited, and `seen` is their version. */
type Sides<Fields> = { base: Fields; mine: Fields; seen: string };
type Kept<Fields> = Sides<Fields> & { keptAt: number };

export function readDraft<Fields>(name: string): Kept<Fields> | undefined {
  return readStoredObject<Kept<Fields>>(name, "mine", "base", "seen");
}

type Given<Fields> = {
  /** The stored fields and their version. */
  theirs: Fields;
  version: string;
  /** The name under which this device stores the draft until it is saved. Without a name, it is lost with the page. */
  name?: string;
  /** Nothing is stored in the shop yet, so there is nothing to merge. */
  isNew?: boolean;
  /** The response to the last save that was accepted. */
  saved?: object;
};

/**
 * The draft of a form whose fields need JavaScript. Changes by other members are merged into fields that were not
 * edited. `open` lists the fields that both have changed, until the member has chosen.
 */
export function useDraft<Fields extends object>({ theirs, version, name, isNew = false, saved }: Given<Fields>) {
  const [sides, setSides] = useState<Sides<Fields>>({ base: theirs, mine: theirs, seen: version });
  const [taken, setTaken] = useState<(keyof Fields)[]>([]);
  const [kept, setKept] = useState<{ at: Date; isFound: boolean }>();
  const sent = useRef<Fields>(undefined);
  const [settled, setSettled] = useState(saved);
  const isKept = useRef(false);
  const isIdle = useNavigation().state === "idle";
  const { base, mine, seen } = sides;
  const isSettled = !saved || saved === settled; // until then, `theirs` may be what was just saved here
  const open = isSettled ? meet(base, mine, theirs).open : [];
  const isChanged = !isSame(base, mine);

  useEffect(() => {
    const found = name === undefined ? undefined : readDraft<Fields>(name);
    if (!found) return;
    setSides({ base: found.base, mine: found.mine, seen: found.seen });
    setKept({ at: new Date(found.keptAt), isFound: true });
  }, [name]);

  useEffect(() => {
    if (isNew || !isIdle) return;
    if (!isSettled) {
      const from = sent.current ?? mine;
      setSettled(saved);
      setTaken([]);
      setKept(undefined);
      setSides((now) => ({ base: theirs, mine: meet(from, now.mine, theirs).merged, seen: version }));
      return;
    }
    if (seen === version && isSame(base, theirs)) return;
    const met = meet(base, mine, theirs);
    if (met.open.length > 0) return;
    setSides({ base: theirs, mine: met.merged, seen: version });
    setTaken(met.taken);
  }, [isNew, isIdle, isSettled, saved, base, mine, seen, theirs, version]);

  useEffect(() => {
    if (name === undefined) return;
    if (isChanged) {
      const at = new Date();
      store(name, JSON.stringify({ base, mine, seen, keptAt: at.getTime() } satisfies Kept<Fields>));
      setKept((now) => ({ at, isFound: now?.isFound ?? false }));
    } else if (isKept.current) store(name, null); // a draft stored by another tab stays
    isKept.current = isChanged;
  }, [name, isChanged, base, mine, seen]);

  return {
    mine,
    base,
    seen,
    open,
    /** Fields that were merged from other members' changes. */
    taken,
    isChanged,
    kept: isChanged ? kept : undefined,
    set: (change: Partial<Fields> | ((now: Fields) => Partial<Fields>)) =>
      setSides((now) => ({
        ...now,
        mine: { ...now.mine, ...(typeof change === "function" ? change(now.mine) : change) },
      })),
    keepMine: (field: keyof Fields) => setSides((now) => ({ ...now, base: { ...now.base, ...pick(theirs, [field]) } })),
    takeTheirs: (field: keyof Fields) =>
      setSides((now) => ({ ...now, mine: { ...now.mine, ...pick(theirs, [field]) } })),
    /** Discards the draft and shows what is stored in the shop. */
    throwAway: () => {
      setKept(undefined);
      setTaken([]);
      setSides({ base: theirs, mine: theirs, seen: version });
    },
    /** Called when the draft is sent. */
    onSend: () => {
      sent.current = mine;
    },
  };
}
