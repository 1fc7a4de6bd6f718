import { type RefObject, useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/** A dialog belongs to the page that asked for it, and is closed with it, also by the browser's Back. */
export function useGoesWithPage(close: () => void): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => close, [pathname]);
}

/** Whether the shopper is on this page still, and not on the way to another: what comes late leads nobody away who has gone on. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    isHere.current = isIdle;
    return () => {
      isHere.current = false;
    };
  }, [isIdle]);
  return isHere;
}
