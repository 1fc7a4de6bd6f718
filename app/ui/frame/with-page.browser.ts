import { type RefObject, useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Closes a dialog when its page changes, also by the browser's Back button. A dialog that was opened while another page
 * was on its way belongs to that page; the window's address names that page before it is drawn.
 */
export function useGoesWithPage(isOpen: boolean, close: () => void): void {
  const { pathname } = useLocation();
  const next = useNavigation().location?.pathname ?? pathname;
  const owner = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is the one at the time of the press
  useEffect(() => {
    owner.current = location.pathname === pathname ? next : location.pathname;
  }, [isOpen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (isOpen && owner.current !== pathname) close();
  }, [pathname]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the pages' frame
  useEffect(() => close, []);
}

/**
 * Whether the shopper is still on this page and not navigating elsewhere. Late results must not take a shopper back who
 * has left.
 */
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
