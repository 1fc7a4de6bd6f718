import { type RefObject, useLayoutEffect } from "react";
import { useHydrated } from "./use-hydrated.browser.ts";

/** React puts a text area's own text back before any effect runs: what stood there when this file was loaded. */
const EARLY = new WeakMap(
  typeof document === "undefined" ? [] : [...document.querySelectorAll("textarea")].map((area) => [area, area.value]),
);

/**
 * Hands on the fields inside `place` that were typed and chosen before the script took the page over, by their names: those that differ from
 * what the page's HTML says. React knows only what it has rendered, and would put that back.
 */
export function useEarlyInput(place: RefObject<HTMLElement | null>, take: (early: Record<string, string>) => void) {
  const isMadeByScript = useHydrated(); // not of the page's HTML: nothing was typed early
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (isMadeByScript) return;
    const fields = [...(place.current?.querySelectorAll("input, select, textarea") ?? [])].flatMap(changed);
    if (fields.length > 0) take(Object.fromEntries(fields));
  }, []);
}

/** The field's name and value where they differ from the page's HTML, else nothing. */
function changed(field: Element): [string, string][] {
  if (field instanceof HTMLSelectElement) {
    const said = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
    return field.value === said?.value ? [] : [[field.name, field.value]];
  }
  if (field instanceof HTMLTextAreaElement) {
    const said = field.defaultValue.replace(/\r\n?/g, "\n");
    if (field.value === said) field.value = EARLY.get(field) ?? said;
    return field.value === said ? [] : [[field.name, field.value]];
  }
  if (!(field instanceof HTMLInputElement)) return [];
  const { name, type, value, checked } = field;
  if (type === "radio") return checked && !field.defaultChecked ? [[name, value]] : [];
  if (type === "checkbox") return checked === field.defaultChecked ? [] : [[name, checked ? value : ""]];
  return value === field.defaultValue.replace(/[\r\n]/g, "") ? [] : [[name, value]];
}
