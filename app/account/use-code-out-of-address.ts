import { useEffect } from "react";
import { useLocation } from "react-router";

/** Takes a link's code out of the address bar and the history, where the next one at this machine could read it. The router keeps it for this visit. */
export function useCodeOutOfAddress(isGood: boolean): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending the form writes the address anew
  useEffect(() => {
    const url = new URL(location.href);
    if (!isGood || !url.searchParams.has("oobCode")) return;
    url.searchParams.delete("oobCode");
    history.replaceState(history.state, "", url);
  }, [isGood, key]);
}
