import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useHydrated } from "./use-hydrated.browser.ts";

/**
 * Moves the focus to the first invalid field, or to the message about the form as a whole, which brings it into view
 * and makes screen readers say it. Delayed until the message is rendered and a closing dialog has restored the focus.
 */
export function focusAnswer(place: ParentNode | null = document.querySelector("main")): void {
  setTimeout(() => {
    const dialog = document.querySelector("dialog:modal");
    // A modal dialog keeps the focus until it is closed.
    if (dialog && place && !dialog.contains(place as Node))
      return dialog.addEventListener("close", () => focusAnswer(place), { once: true });
    const find = (which: string) => place?.querySelector<HTMLElement>(which);
    const wrong = find('[aria-invalid="true"]');
    if (wrong) return (wrong.querySelector<HTMLElement>("[name]") ?? wrong).focus(); // a group's first field
    const message = find('[role="alert"]') ?? find('[role="status"]');
    if (message) message.tabIndex = -1;
    message?.focus();
  });
}

/** After each response, moves the focus to the answer inside the returned element. */
export function useFocusAnswer<Place extends HTMLElement = HTMLFormElement>(answer: unknown): RefObject<Place | null> {
  const place = useRef<Place>(null);
  const isMadeByScript = useHydrated();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    // If the response was part of the page's HTML, the shopper may already be typing.
    const isTyping = !isMadeByScript && document.activeElement !== document.body;
    if (answer && !isTyping) focusAnswer(place.current);
  }, [answer]);
  return place;
}

type Errors = Partial<Record<string, string>>;
const NONE = {};

/**
 * Returns the answer's errors by field, without fields that were changed since, the form's listener for these changes,
 * and a function for fields that a script has changed.
 */
export function useErrors<Given extends Errors>(
  answered: Given | undefined,
): [Partial<Given>, (event: FormEvent) => void, (...names: string[]) => void] {
  const given = answered ?? (NONE as Given);
  const [changed, setChanged] = useState<{ of: Given; errors: Partial<Given> }>();
  const errors = changed?.of === given ? changed.errors : given;
  const onChanged = (...names: string[]) => {
    const none = Object.fromEntries(names.map((name) => [name, undefined]));
    if (names.some((name) => errors[name])) setChanged({ of: given, errors: { ...errors, ...none } });
  };
  return [errors, ({ target }) => onChanged((target as HTMLInputElement).name), onChanged];
}

/**
 * Focuses the replacement of a control that had the focus and was removed. Does nothing if another element has the
 * focus.
 */
export function takeLostFocus(element: HTMLElement | null, options?: FocusOptions): void {
  if (document.activeElement === document.body) element?.focus(options);
}
