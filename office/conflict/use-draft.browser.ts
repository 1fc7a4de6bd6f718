import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { readStoredObject, store } from "#app/infra/storage.browser.ts";
import { isSame, merge, pick } from "./merge.ts";

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
  /** The response to the last save that was accepted, and the version that it made. */
  saved?: { version?: string };
};

/**
 * The draft of a form whose fields need JavaScript. Changes by other members are merged into fields that were not
 * edited. `open` lists the fields that both have changed, until the member has chosen.
 */
export function useDraft<Fields extends object>({ theirs, version, name, isNew = false, saved }: Given<Fields>) {
  const [sides, setSides] = useState<Sides<Fields>>({ base: theirs, mine: theirs, seen: version });
  const [taken, setTaken] = useState<(keyof Fields)[]>([]);
  const [kept, setKept] = useState<{ at: Date; isFound: boolean }>();
  const [sent, setSent] = useState<{ mine: Fields; theirs: Fields }>();
  const [handled, setHandled] = useState(saved);
  const [replaced, setReplaced] = useState<Fields>(); // the `theirs` before a save, until the reload after it
  const isKept = useRef(false);
  const isIdle = useNavigation().state === "idle";
  const { base, mine, seen } = sides;
  const result = merge(base, mine, theirs);
  const isOwn = replaced !== undefined && (replaced === theirs || seen === version);
  const open = isOwn ? [] : result.open; // the shop may store what was sent in a normalized form, which is no conflict
  const isChanged = !isSame(base, mine);
  const isBehind = replaced ? replaced !== theirs : seen !== version || !isSame(base, theirs);

  if (saved !== handled) {
    setHandled(saved);
    if (saved && sent) {
      setReplaced(sent.theirs);
      setTaken([]);
      setKept(undefined);
      setSides({ ...sides, base: sent.mine, seen: saved.version ?? seen });
    }
  } else if (!isNew && isIdle && isBehind && open.length === 0) {
    setReplaced(undefined);
    setTaken(isOwn ? [] : result.taken);
    setSides({ base: theirs, mine: result.merged, seen: version });
  }

  useEffect(() => {
    if (name === undefined) return;
    if (isChanged) {
      const at = new Date();
      store(name, JSON.stringify({ base, mine, seen, keptAt: at.getTime() } satisfies Kept<Fields>));
      setKept((now) => ({ at, isFound: now?.isFound ?? false }));
    } else if (isKept.current) {
      store(name, null); // a draft stored by another tab stays
      setKept(undefined);
    }
    isKept.current = isChanged;
  }, [name, isChanged, base, mine, seen]);

  // After the effect above, which would delete a draft that isn't in the form yet.
  useEffect(() => {
    const found = name === undefined ? undefined : readDraft<Fields>(name);
    if (!found) return;
    isKept.current = true;
    setSides({ base: found.base, mine: found.mine, seen: found.seen });
    setKept({ at: new Date(found.keptAt), isFound: true });
  }, [name]);

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
      setTaken([]);
      setSides({ base: theirs, mine: theirs, seen: version });
    },
    /** Called when the draft is sent. */
    onSend: () => setSent({ mine, theirs }),
  };
}
