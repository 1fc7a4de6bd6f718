import { type RefObject, useEffect } from "react";

/** True until the first navigation: where the browser loads a page itself, the focus stays where it is. */
let isLoaded = true;

/** After a navigation the focus goes to the new page's content, so that a screen reader begins there. */
export function useArrivalFocus(content: RefObject<HTMLElement | null>, path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what triggers it
  useEffect(() => {
    if (isLoaded) isLoaded = false;
    else content.current?.focus({ preventScroll: true });
  }, [path]);
}
