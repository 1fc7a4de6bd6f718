import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { readStoredObject, store } from "#app/infra/storage.browser.ts";
import { type Draft, type DraftField, isSame, meet, pick } from "./draft.ts";

/** `base` is the stored product from which `mine` was edited, and `seen` its version. */
type Sides = { base: Draft; mine: Draft; seen: string };
type Kept = Sides & { keptAt: number };

const nameOf = (id: string) => `irepo-office-product:${id}`;

function readDraft(id: string): Kept | undefined {
  return readStoredObject<Kept>(nameOf(id), "mine", "base", "seen");
}

/**
 * Deletes this device's draft of a new product after it was added with this key. A draft that was begun since then
 * stays.
 */
export function forgetAdded(key: string | null): void {
  if (readDraft("new")?.seen === key) store(nameOf("new"), null);
}

type Given = {
  id: string;
  /** The stored product and its version. */
  theirs: Draft;
  version: string;
  isNew?: boolean;
  /** The result of the last submit. */
  done?: { ok: boolean; intent?: string };
};

/**
 * The draft of a product's form, stored on this device until it is saved. Changes by other members are merged into
 * fields that were not edited. `open` lists the fields that both have changed, until the member has chosen.
 */
export function useDraft({ id, theirs, version, isNew = false, done }: Given) {
  const [sides, setSides] = useState<Sides>({ base: theirs, mine: theirs, seen: version });
  const [taken, setTaken] = useState<DraftField[]>([]);
  const [kept, setKept] = useState<{ at: Date; isFound: boolean }>();
  const sent = useRef<Draft>(undefined);
  const settled = useRef(done);
  const isRead = useRef(false);
  const isIdle = useNavigation().state === "idle";
  const { base, mine, seen } = sides;
  const { open } = meet(base, mine, theirs);
  const isChanged = !isSame(base, mine);

  useEffect(() => {
    const found = readDraft(id);
    if (!found) return;
    setSides({ base: found.base, mine: found.mine, seen: found.seen });
    setKept({ at: new Date(found.keptAt), isFound: true });
  }, [id]);

  useEffect(() => {
    if (isNew || !isIdle) return;
    if (done !== settled.current && done?.ok && done.intent === "save" && sent.current) {
      const from = sent.current;
      settled.current = done;
      sent.current = undefined;
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
  }, [isNew, isIdle, done, base, mine, seen, theirs, version]);

  useEffect(() => {
    if (!isRead.current) {
      isRead.current = true; // the stored draft is not in the form yet
      return;
    }
    if (!isChanged) return store(nameOf(id), null);
    const at = new Date();
    store(nameOf(id), JSON.stringify({ base, mine, seen, keptAt: at.getTime() } satisfies Kept));
    setKept((now) => ({ at, isFound: now?.isFound ?? false }));
  }, [id, isChanged, base, mine, seen]);

  return {
    mine,
    seen,
    open,
    /** Fields that were merged from other members' changes. */
    taken,
    isChanged,
    kept: isChanged ? kept : undefined,
    set: (change: Partial<Draft> | ((now: Draft) => Partial<Draft>)) =>
      setSides((now) => ({
        ...now,
        mine: { ...now.mine, ...(typeof change === "function" ? change(now.mine) : change) },
      })),
    choose: (name: DraftField, side: "mine" | "theirs") =>
      setSides((now) =>
        side === "mine"
          ? { ...now, base: { ...now.base, ...pick(theirs, [name]) } }
          : { ...now, mine: { ...now.mine, ...pick(theirs, [name]) } },
      ),
    /** Discards the draft and shows the stored product. */
    throwAway: () => {
      store(nameOf(id), null);
      setKept(undefined);
      setTaken([]);
      setSides({ base: theirs, mine: theirs, seen: version });
    },
    onSend: () => {
      sent.current = mine;
    },
  };
}
