import { useEffect, useState } from "react";
import type { HeroSlide } from "#db/types.ts";
import type { Outcome } from "../http/changes.server.ts";

type Known = { slides: HeroSlide[]; version: string };

/** The slides as they are edited here, beside those in the shop. What is edited stays when somebody else changes them meanwhile. */
export function useHero({ slides: theirs, version }: Known, done?: Outcome) {
  const [mine, setMine] = useState(theirs);
  const [seen, setSeen] = useState(version);
  const [arrived, setArrived] = useState(version);
  const [isTyped, setTyped] = useState(false);
  useEffect(() => {
    if (!done?.ok) return;
    setTyped(false);
    if (done.version) setSeen(done.version); // before the slides that are read anew have come
  }, [done]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the slides
  useEffect(() => {
    if (isTyped || version === arrived) return;
    setMine(theirs);
    setSeen(version);
    setArrived(version);
  }, [version, arrived, isTyped]);
  const set = (change: (slides: HeroSlide[]) => HeroSlide[]) => {
    setMine(change);
    setTyped(true);
  };
  return {
    mine,
    seen,
    isChanged: isTyped && JSON.stringify(mine) !== JSON.stringify(theirs),
    isStale: isTyped && version !== seen && version !== arrived,
    set,
    change: (id: string, what: Partial<HeroSlide>) =>
      set((all) => all.map((slide) => (slide.id === id ? { ...slide, ...what } : slide))),
    keepMine: () => {
      setSeen(version);
      setArrived(version);
    },
    takeTheirs: () => setTyped(false),
  };
}
