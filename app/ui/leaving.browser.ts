import { useEffect } from "react";

/**
 * Who goes to another document gets there. Firefox breaks off at once what is still loading, and a script of the next page that does not come makes the
 * router load this page anew, in place of where the shopper was going.
 */
export function useLeaving(): void {
  useEffect(() => {
    if (!("navigation" in window)) return;
    const gone = new AbortController();
    let leaving = false;
    const leave = () => {
      leaving = true;
    };
    // Who still presses something has stayed: what was asked for was a download or a mail program.
    const stay = () => {
      leaving = false;
    };
    const go = (event: NavigateEvent) => {
      if (leaving && event.navigationType === "reload" && !event.userInitiated) event.preventDefault();
    };
    addEventListener("beforeunload", leave, { signal: gone.signal });
    addEventListener("click", stay, { signal: gone.signal, capture: true });
    navigation.addEventListener("navigate", go, { signal: gone.signal });
    return () => gone.abort();
  }, []);
}
