import { useEffect, useState, useSyncExternalStore } from "react";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import type { ArrivalDates } from "../delivery-time.ts";
import type { PricedPlace } from "./place.ts";

/**
 * The storage key of the place chosen on a page. Session storage, which the form of this tab writes to as well, takes
 * precedence over local storage.
 */
const CHOSEN = "deliverTo";

type Answer = { places: PricedPlace[]; dates: ArrivalDates; known: string | null };

/**
 * The shopper's place of delivery: the one last chosen or typed in, otherwise the one that the server knows. `place` is
 * undefined if none is known.
 */
export function usePlace(): Partial<Answer> & { place: PricedPlace | undefined; choose(key: string): void } {
  const [answer, setAnswer] = useState<Answer>();
  const chosen = useSyncExternalStore(onStored, rememberedPlace, () => null);
  useEffect(() => {
    const gone = new AbortController();
    fetch("/api/delivery", { signal: gone.signal })
      .then(async (response) => response.ok && setAnswer(await response.json()))
      .catch(() => undefined); // offline: the text for pages without JavaScript stays
    return () => gone.abort();
  }, []);
  const wanted = chosen ?? answer?.known;
  return { ...answer, place: answer?.places.find(({ key }) => key === wanted), choose };
}

function choose(key: string): void {
  rememberPlace(key);
  store(CHOSEN, key);
}

/** Keeps the place of this tab's form. A logout clears it with the rest of the session storage. */
export function rememberPlace(key: string): void {
  try {
    sessionStorage.setItem(CHOSEN, key);
  } catch {} // storage is unavailable: other pages do not know the place
}

/** The key of the place last chosen or typed in, if this browser has stored it. */
export function rememberedPlace(): string | null {
  try {
    return sessionStorage.getItem(CHOSEN) ?? readStored(CHOSEN);
  } catch {
    return readStored(CHOSEN);
  }
}
