import { useEffect, useRef, useState } from "react";
import { readStoredObject, store } from "#app/infra/storage.browser.ts";
import type { HeroSlide } from "#db/types.ts";
import type { Outcome } from "../http/changes.server.ts";

type Known = { slides: HeroSlide[]; version: string };
/** `seen` is the version from which `mine` was edited. */
type Kept = { mine: HeroSlide[]; seen: string };

const NAME = "irepo-office-hero";

/**
 * The slides being edited, and the stored ones. The edits are kept if other members save meanwhile, and are stored on
 * this device until they are saved.
 */
export function useHero({ slides: theirs, version }: Known, done?: Outcome) {
  const [mine, setMine] = useState(theirs);
  const [seen, setSeen] = useState(version);
  const [arrived, setArrived] = useState(version);
  const [isTyped, setTyped] = useState(false);
  const [isFound, setFound] = useState(false);
  const isChanged = isTyped && JSON.stringify(mine) !== JSON.stringify(theirs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    const kept = readStoredObject<Kept>(NAME, "mine", "seen");
    if (!kept) return;
    // The edits were saved, but the response was lost.
    if (JSON.stringify(kept.mine) === JSON.stringify(theirs)) return store(NAME, null);
    setMine(kept.mine);
    setSeen(kept.seen);
    setArrived(kept.seen);
    setTyped(true);
    setFound(true);
  }, []);
  const isKept = useRef(false);
  useEffect(() => {
    if (isChanged) store(NAME, JSON.stringify({ mine, seen } satisfies Kept));
    else if (isKept.current) store(NAME, null); // a draft stored by another tab stays
    isKept.current = isChanged;
  }, [isChanged, mine, seen]);
  const sent = useRef(mine);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!done?.ok) return;
    setTyped(mine !== sent.current); // edits made while saving are not saved
    setFound(false);
    if (done.version) setSeen(done.version); // set before the reloaded slides arrive
  }, [done]);
  const takeTheirs = () => {
    setMine(theirs);
    setSeen(version);
    setArrived(version);
    setTyped(false);
    setFound(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the slides
  useEffect(() => {
    if (!isTyped && version !== arrived) takeTheirs();
  }, [version, arrived, isTyped]);
  const set = (change: (slides: HeroSlide[]) => HeroSlide[]) => {
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
    /** Called when the slides are sent. */
    send: () => {
      sent.current = mine;
    },
    change: (id: string, what: Partial<HeroSlide>) =>
      set((all) => all.map((slide) => (slide.id === id ? { ...slide, ...what } : slide))),
    keepMine: () => {
      setSeen(version);
      setArrived(version);
    },
    takeTheirs,
  };
}
