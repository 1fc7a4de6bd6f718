import { useEffect, useRef, useState } from "react";
import { readStoredObject, store } from "#app/infra/storage.browser.ts";
import type { Outcome } from "../http/changes.server.ts";

export type KnownList<Item> = { items: Item[]; version: string };
/** `seen` is the version from which `mine` was edited. */
type Kept<Item> = { mine: Item[]; seen: string };

/**
 * A list being edited, and the stored one. The edits are kept if other members save meanwhile, and are stored on this
 * device under `name` until they are saved.
 */
export function useList<Item extends { id: string }>(
  name: string,
  { items: theirs, version }: KnownList<Item>,
  done?: Outcome,
) {
  const [mine, setMine] = useState(theirs);
  const [seen, setSeen] = useState(version);
  const [arrived, setArrived] = useState(version);
  const [isTyped, setTyped] = useState(false);
  const [isFound, setFound] = useState(false);
  const isChanged = isTyped && JSON.stringify(mine) !== JSON.stringify(theirs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    const kept = readStoredObject<Kept<Item>>(name, "mine", "seen");
    if (!kept) return;
    // The edits were saved, but the response was lost.
    if (JSON.stringify(kept.mine) === JSON.stringify(theirs)) return store(name, null);
    setMine(kept.mine);
    setSeen(kept.seen);
    setArrived(kept.seen);
    setTyped(true);
    setFound(true);
  }, []);
  const isKept = useRef(false);
  useEffect(() => {
    if (isChanged) store(name, JSON.stringify({ mine, seen } satisfies Kept<Item>));
    else if (isKept.current) store(name, null); // a draft stored by another tab stays
    isKept.current = isChanged;
  }, [isChanged, mine, seen, name]);
  const sent = useRef(mine);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!done?.ok) return;
    setTyped(mine !== sent.current); // edits made while saving are not saved
    setFound(false);
    if (done.version) setSeen(done.version); // set before the reloaded items arrive
  }, [done]);
  const takeTheirs = () => {
    setMine(theirs);
    setSeen(version);
    setArrived(version);
    setTyped(false);
    setFound(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the items
  useEffect(() => {
    if (!isTyped && version !== arrived) takeTheirs();
  }, [version, arrived, isTyped]);
  const set = (change: (items: Item[]) => Item[]) => {
    setMine(change);
    setTyped(true);
  };
  return {
    mine,
    seen,
    isChanged,
    /** The edits were restored from an earlier visit. */
    isFound: isFound && isChanged,
    isStale: isTyped && version !== seen && version !== arrived,
    set,
    /** Called when the list is sent. */
    send: () => {
      sent.current = mine;
    },
    change: (id: string, what: Partial<Item>) =>
      set((all) => all.map((item) => (item.id === id ? { ...item, ...what } : item))),
    keepMine: () => {
      setSeen(version);
      setArrived(version);
    },
    takeTheirs,
  };
}
