import { type RefObject, useEffect } from "react";

/** True until the first navigation: after a page load the focus stays where it is. */
let isLoaded = true;

/**
 * Moves the focus after a navigation to the content of the new page, so that screen readers begin there, or to the
 * field that the address names. `path` includes the hash.
 */
export function useArrivalFocus(content: RefObject<HTMLElement | null>, path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what triggers it
  useEffect(() => {
    if (isLoaded) isLoaded = false;
    else (document.getElementById(location.hash.slice(1)) ?? content.current)?.focus({ preventScroll: true });
  }, [path]);
}
