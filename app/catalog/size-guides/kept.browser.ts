import { useMemo, useSyncExternalStore } from "react";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import { type Measure, readMeasures } from "./measure.ts";

/** The storage key of the shopper's own measures, by `measureKey`, as JSON. They never leave the browser. */
const OWN = "measures";

export function useOwnMeasures(): Map<string, Measure> {
  const stored = useSyncExternalStore(
    onStored,
    () => readStored(OWN),
    () => null,
  );
  return useMemo(() => readMeasures(stored), [stored]);
}

/** Keeps these measures in place of all others. If there are none, nothing stays in the browser. */
export function keepMeasures(measures: ReadonlyMap<string, Measure>): void {
  store(OWN, measures.size > 0 ? JSON.stringify(Object.fromEntries(measures)) : null);
}
