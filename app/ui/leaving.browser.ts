import { useEffect } from "react";

/**
 * Prevents the router from reloading this page while the browser is already leaving it. In that situation Firefox
 * aborts pending requests, and if a script of the next route is among them, the router would reload this page and
 * cancel the navigation.
 */
export function useLeaving(): void {
  useEffect(() => {
    if (!("navigation" in window)) return;
    const gone = new AbortController();
    let leaving = false;
    const leave = () => {
      leaving = true;
    };
    // A click means that the page is still here: the navigation was a download or opened a mail program.
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
