import { useEffect } from "react";
import { useLocation } from "react-router";

/**
 * Removes a link's code from the address bar and the history, where the next person at this computer could read it. The
 * router keeps the code until the visitor leaves the page.
 */
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
