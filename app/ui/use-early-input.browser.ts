import { type RefObject, useLayoutEffect } from "react";
import { useHydrated } from "./use-hydrated.browser.ts";

/** The text areas' contents when this file was loaded. React resets text areas before any effect runs. */
const EARLY = new WeakMap(
  typeof document === "undefined" ? [] : [...document.querySelectorAll("textarea")].map((area) => [area, area.value]),
);

/**
 * Calls `take` with the fields inside `place` that were changed before hydration, by name. A field counts as changed if
 * it differs from the page's HTML. Without this, React would reset the fields to its initial state.
 */
export function useEarlyInput(place: RefObject<HTMLElement | null>, take: (early: Record<string, string>) => void) {
  const isMadeByScript = useHydrated(); // not part of the page's HTML, so nothing was typed before hydration
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (isMadeByScript) return;
    const fields = [...(place.current?.querySelectorAll("input, select, textarea") ?? [])].flatMap(changed);
    if (fields.length > 0) take(Object.fromEntries(fields));
  }, []);
}

/** The field's name and value if it differs from the page's HTML, otherwise nothing. */
function changed(field: Element): [string, string][] {
  if (field instanceof HTMLSelectElement) {
    const initial = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
    return field.value === initial?.value ? [] : [[field.name, field.value]];
  }
  if (field instanceof HTMLTextAreaElement) {
    const initial = field.defaultValue.replace(/\r\n?/g, "\n");
    if (field.value === initial) field.value = EARLY.get(field) ?? initial;
    return field.value === initial ? [] : [[field.name, field.value]];
  }
  if (!(field instanceof HTMLInputElement)) return [];
  const { name, type, value, checked } = field;
  if (type === "radio") return checked && !field.defaultChecked ? [[name, value]] : [];
  if (type === "checkbox") return checked === field.defaultChecked ? [] : [[name, checked ? value : ""]];
  return value === field.defaultValue.replace(/[\r\n]/g, "") ? [] : [[name, value]];
}
