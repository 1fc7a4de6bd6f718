import { useSyncExternalStore } from "react";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

const CURRENCIES = ["USD", "NGN"] as const;
export type Currency = (typeof CURRENCIES)[number];

const KEY = "currency";
let asking = false;
let detected: Currency | undefined;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function chosen(): Currency | undefined {
  const value = readStored(KEY);
  return CURRENCIES.find((currency) => currency === value);
}

/** Keeps what the visitor's country suggests, for all that shows a currency. */
export function noteDetected(currency: Currency | undefined): void {
  detected = currency;
  tell();
}

/** The shopper's currency: what was chosen, else what was detected, else USD. */
export function useCurrency(): {
  currency: Currency;
  isChosen: boolean;
  choose(currency: Currency): void;
  ask(): void;
} {
  const choice = useSyncExternalStore(onStored, chosen, () => undefined);
  const suggested = useSyncExternalStore(
    subscribe,
    () => detected,
    () => undefined,
  );
  return {
    currency: choice ?? suggested ?? "USD",
    isChosen: choice !== undefined,
    choose(currency) {
      store(KEY, currency);
      asking = false;
      tell();
    },
    ask() {
      asking = true;
      tell();
    },
  };
}

const NAMES: Record<Currency, string> = { USD: "US dollars ($)", NGN: "Nigerian naira (₦)" };

/** The choice of currency; remembered in this browser. */
export function CurrencyDialog() {
  const isOpen = useSyncExternalStore(
    subscribe,
    () => asking,
    () => false,
  );
  const { currency, choose } = useCurrency();
  const close = () => {
    asking = false;
    tell();
  };
  return (
    <Dialog open={isOpen} onClose={close} title="Choose your currency">
      <div className="grid gap-4 p-5">
        <p>Prices are in US dollars, with the approximate price in naira beside them. Cards are charged in naira.</p>
        {CURRENCIES.map((one) => (
          <Button
            key={one}
            type="button"
            look={one === currency ? "solid" : "outline"}
            aria-pressed={one === currency}
            onClick={() => choose(one)}
          >
            {NAMES[one]}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

/** The currency shown, and the way to another one. */
export function CurrencyButton() {
  const { currency, ask } = useCurrency();
  return (
    <button
      type="button"
      onClick={ask}
      className="min-h-11 justify-self-start text-sm underline underline-offset-4 [@media(scripting:none)]:hidden"
    >
      Currency: {currency}
    </button>
  );
}
