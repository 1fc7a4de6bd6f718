import { useEffect, useState } from "react";

/**
 * Loads a part of the code when `wanted` first becomes true; undefined until it is loaded. If loading fails, `giveUp`
 * is called, and the next time `wanted` becomes true it is loaded again.
 */
export function useLater<Part>(wanted: boolean, load: () => Promise<Part>, giveUp: () => void): Part | undefined {
  const [part, setPart] = useState<Part>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wish fetches once
  useEffect(() => {
    if (!wanted || part) return;
    load().then(setPart, giveUp);
  }, [wanted]);
  return part;
}
