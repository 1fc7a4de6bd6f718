import { useSyncExternalStore } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { useCurrency } from "./choice.browser.ts";
import type { Currency } from "./country.ts";

let isOpen = false;
const listeners = new Set<() => void>();

function setOpen(open: boolean): void {
  isOpen = open;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the choice of currency. */
export function askCurrency(): void {
  setOpen(true);
}

const CHOICES: { currency: Currency; name: string }[] = [
  { currency: "USD", name: "US dollars ($)" },
  { currency: "NGN", name: "Nigerian naira (₦)" },
];

/** The choice of currency; remembered in this browser. */
export function CurrencyDialog() {
  const open = useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
  const { currency, choose } = useCurrency();
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Choose your currency">
      <div className="grid gap-4 p-5">
        <p>Prices are in US dollars, with the approximate price in naira beside them. Cards are charged in naira.</p>
        {CHOICES.map((choice) => (
          <Button
            key={choice.currency}
            type="button"
            look={choice.currency === currency ? "solid" : "outline"}
            aria-pressed={choice.currency === currency}
            onClick={() => {
              choose(choice.currency);
              setOpen(false);
            }}
          >
            {choice.name}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

/** The currency shown, and the way to another one. */
export function CurrencyButton() {
  const { currency } = useCurrency();
  return (
    <button
      type="button"
      onClick={askCurrency}
      className="min-h-11 justify-self-start text-sm underline underline-offset-4 [@media(scripting:none)]:hidden"
    >
      Currency: {currency}
    </button>
  );
}
