import { useEffect, useSyncExternalStore } from "react";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import { type Currency, isCurrency } from "./country.ts";

const CHOSEN = "currency";
const DETECTED = "currencyDetected";
/** Pages of a visit that have asked in vain. */
const ASKED = "currencyAsked";
/** The server may know the country only after it was asked once. */
const MOST_ASKED = 2;

function stored(key: string): Currency | undefined {
  const value = readStored(key);
  return isCurrency(value) ? value : undefined;
}

const known = () => stored(CHOSEN) ?? stored(DETECTED);

/**
 * The shopper's currency: what was chosen, else what the country suggests, else USD. `isKnown`: not by default. `detected`: what the server has seen of
 * the country, where the page is made for one visitor; it is remembered.
 */
export function useCurrency(detected?: Currency): {
  currency: Currency;
  isKnown: boolean;
  choose(currency: Currency): void;
} {
  useEffect(() => rememberDetected(detected), [detected]);
  const currency = useSyncExternalStore(
    onStored,
    () => known() ?? detected,
    () => detected,
  );
  return {
    currency: currency ?? "USD",
    isKnown: currency !== undefined,
    choose: (chosen) => store(CHOSEN, chosen),
  };
}

/** Remembers what the visitor's country suggests; a choice overrules it. */
function rememberDetected(currency: Currency | undefined): void {
  if (currency) store(DETECTED, currency);
}

/** Once in a browser: asks which currency the visitor's country suggests. The page's prices follow (tokens.css). */
export function useDetectedCurrency(): void {
  const { currency } = useCurrency();
  useEffect(() => {
    document.documentElement.dataset.currency = currency;
  }, [currency]);
  useEffect(() => {
    if (known() || !mayAsk()) return;
    const gone = new AbortController();
    fetch("/api/currency", { signal: gone.signal })
      .then(async (response) => {
        const { currency: detected } = await response.json();
        if (isCurrency(detected)) rememberDetected(detected);
      })
      .catch(() => undefined); // offline: the next page asks
    return () => gone.abort();
  }, []);
}

function mayAsk(): boolean {
  try {
    const asked = Number(sessionStorage.getItem(ASKED));
    sessionStorage.setItem(ASKED, String(asked + 1));
    return asked < MOST_ASKED;
  } catch {
    return true; // storage is refused: each page asks
  }
}
