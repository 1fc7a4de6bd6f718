import { useEffect, useState } from "react";

/** A part of the code, fetched when it is first wanted; undefined until then. When it cannot be fetched, `giveUp` is called, and the next wish fetches again. */
export function useLater<Part>(wanted: boolean, load: () => Promise<Part>, giveUp: () => void): Part | undefined {
  const [part, setPart] = useState<Part>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wish fetches once
  useEffect(() => {
    if (!wanted || part) return;
    load().then(setPart, giveUp);
  }, [wanted]);
  return part;
}
