import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** A menu that closes on a press outside of it, on Esc, when the focus leaves it, and when the page changes. */
export function useClosingMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) menu.current?.removeAttribute("open");
    shown.current = pathname;
  }, [pathname]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const isInside = target instanceof Node && menu.current?.contains(target);
      if (!isInside) menu.current?.removeAttribute("open");
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || !menu.current?.open) return;
      menu.current.removeAttribute("open");
      menu.current.querySelector("summary")?.focus();
    };
    // Not by blur: in Safari a press on one of the links blurs the menu, which would close before the click.
    const gone = new AbortController();
    const { signal } = gone;
    document.addEventListener("pointerdown", leave, { signal });
    document.addEventListener("focusin", leave, { signal });
    document.addEventListener("keydown", onKey, { signal });
    return () => gone.abort();
  }, []);
  return menu;
}
