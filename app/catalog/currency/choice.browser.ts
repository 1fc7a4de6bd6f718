import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import { inSeconds, YEAR } from "#app/infra/durations.ts";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import { CHOICE_COOKIE, type Currency, isCurrency } from "./country.ts";

const CHOSEN = "currency";

/** The currency with which the server has rendered the page. Set by the root. */
export const RenderedCurrency = createContext<Currency>("USD");

function chosenCurrency(): Currency | undefined {
  const value = readStored(CHOSEN);
  return isCurrency(value) ? value : undefined;
}

/** The shopper's currency: the chosen one, else the one with which the server has rendered the page. */
export function useCurrency(): { currency: Currency; isChosen: boolean; choose(currency: Currency): void } {
  const rendered = useContext(RenderedCurrency);
  const chosen = useSyncExternalStore(onStored, chosenCurrency, () => undefined);
  return { currency: chosen ?? rendered, isChosen: chosen !== undefined, choose: (wanted) => store(CHOSEN, wanted) };
}

/** Tells the server of the choice, so that it renders the next page with this currency first. */
export function useChoiceCookie(): void {
  const { currency, isChosen } = useCurrency();
  useEffect(() => {
    if (!isChosen) return;
    const isSecure = location.protocol === "https:";
    const name = isSecure ? `__Host-${CHOICE_COOKIE}` : CHOICE_COOKIE;
    const attributes = `Path=/; SameSite=Lax; Max-Age=${inSeconds(YEAR)}${isSecure ? "; Secure" : ""}`;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
    document.cookie = `${name}=${currency}; ${attributes}`;
  }, [currency, isChosen]);
}
