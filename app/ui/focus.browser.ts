import { type RefObject, useEffect, useRef } from "react";
import { useHydrated } from "./use-hydrated.browser.ts";

/** Leads to what is wrong with a form, when it is there and a dialog has given the focus back: its first wrong field, or what is said of it as a whole. */
export function focusProblem(place: ParentNode | null = document.querySelector("main")): void {
  setTimeout(() => {
    const wrong = place?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) (wrong.querySelector("input") ?? wrong).focus();
    else place?.querySelector('[role="alert"]')?.scrollIntoView({ block: "center" });
  });
}

/** Leads to what each answer finds wrong with the form inside the returned place: screen readers say it, and who has zoomed in sees it. */
export function useFocusProblem<Place extends HTMLElement = HTMLFormElement>(answer: unknown): RefObject<Place | null> {
  const place = useRef<Place>(null);
  const isMadeByScript = useHydrated();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    const isTyping = !isMadeByScript && document.activeElement !== document.body; // the answer was there before the script
    if (answer && !isTyping) focusProblem(place.current);
  }, [answer]);
  return place;
}

/** Focuses what is to be seen in place of a control that had the focus and has gone; whoever is elsewhere stays there. */
export function takeLostFocus(element: HTMLElement | null, options?: FocusOptions): void {
  if (document.activeElement === document.body) element?.focus(options);
}
