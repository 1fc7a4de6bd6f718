import { type RefObject, useLayoutEffect } from "react";

/**
 * Hands on what a form's fields hold when the script takes the page over: what was typed and chosen before that, or kept by the browser over a
 * reload. React knows only what it has rendered, and would put that back.
 */
export function useEarlyInput(form: RefObject<HTMLFormElement | null>, take: (fields: Record<string, string>) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const entries = form.current ? [...new FormData(form.current)] : [];
    take(Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")));
  }, []);
}
