import { type RefObject, useLayoutEffect } from "react";

/**
 * Hands on the fields inside `place` that were typed and chosen before the script took the page over, by their names: those that differ from
 * what the page's HTML says. React knows only what it has rendered, and would put that back.
 */
export function useEarlyInput(place: RefObject<HTMLElement | null>, take: (early: Record<string, string>) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const fields = [...(place.current?.querySelectorAll("input, select") ?? [])].flatMap(changed);
    if (fields.length > 0) take(Object.fromEntries(fields));
  }, []);
}

function changed(field: Element): [string, string][] {
  if (field instanceof HTMLSelectElement) {
    const said = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
    return field.value === said?.value ? [] : [[field.name, field.value]];
  }
  if (!(field instanceof HTMLInputElement)) return [];
  const { name, type, value, checked } = field;
  if (type === "radio") return checked && !field.defaultChecked ? [[name, value]] : [];
  if (type === "checkbox") return checked === field.defaultChecked ? [] : [[name, checked ? value : ""]];
  return value === field.defaultValue ? [] : [[name, value]];
}
