import { useEffect, useState } from "react";

/** Code that is fetched when it is first wanted; undefined until it has come. When it does not come, `giveUp` says so: the next wish fetches again. */
export function useLater<Part>(wanted: boolean, load: () => Promise<Part>, giveUp: () => void): Part | undefined {
  const [part, setPart] = useState<Part>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wish fetches once
  useEffect(() => {
    if (!wanted || part) return;
    load().then(setPart, giveUp);
  }, [wanted]);
  return part;
}
