import { useEffect, useState, useSyncExternalStore } from "react";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import type { ArrivalDates } from "../delivery-time.ts";
import type { Place } from "./place.ts";

/** The place that was chosen on a page, in this browser; the form's place goes before it, in this tab. */
const CHOSEN = "deliverTo";

type Answer = { places: Place[]; dates: ArrivalDates; known: string | null };

/** Where this shopper's orders would go: what was chosen or typed last, else what the server knows. `place` is undefined while nobody knows it. */
export function usePlace(): Partial<Answer> & { place: Place | undefined; choose(key: string): void } {
  const [answer, setAnswer] = useState<Answer>();
  const chosen = useSyncExternalStore(onStored, readPlace, () => null);
  useEffect(() => {
    const gone = new AbortController();
    fetch("/api/delivery", { signal: gone.signal })
      .then(async (response) => response.ok && setAnswer(await response.json()))
      .catch(() => undefined); // offline: the page says what it says without script
    return () => gone.abort();
  }, []);
  const wanted = chosen ?? answer?.known;
  return { ...answer, place: answer?.places.find(({ key }) => key === wanted), choose };
}

function choose(key: string): void {
  rememberPlace(key);
  store(CHOSEN, key);
}

/** Keeps where the form of this tab goes. A logout forgets it, with all that the tab has. */
export function rememberPlace(key: string): void {
  try {
    sessionStorage.setItem(CHOSEN, key);
  } catch {} // refused: then the pages do not know it
}

/** The key of the place that was chosen or typed last, as far as this browser keeps it. */
export function readPlace(): string | null {
  try {
    return sessionStorage.getItem(CHOSEN) ?? readStored(CHOSEN);
  } catch {
    return readStored(CHOSEN);
  }
}
