import { useSyncExternalStore } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { useCurrency } from "./choice.browser.ts";
import type { Currency } from "./country.ts";

let isOpen = false;
let goOn: (() => void) | undefined;
const listeners = new Set<() => void>();

function setOpen(open: boolean): void {
  isOpen = open;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the choice of currency; `then` follows once one is chosen, and not where the dialog is closed without. */
export function askCurrency(then?: () => void): void {
  goOn = then;
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
        <p>It stands first in every price, the other one beside it. Cards are charged in naira.</p>
        {CHOICES.map((choice) => (
          <Button
            key={choice.currency}
            type="button"
            look={choice.currency === currency ? "solid" : "outline"}
            aria-pressed={choice.currency === currency}
            onClick={() => {
              choose(choice.currency);
              setOpen(false);
              goOn?.();
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
      onClick={() => askCurrency()}
      className="min-h-11 justify-self-start text-sm underline underline-offset-4 [@media(scripting:none)]:hidden"
    >
      Currency: {currency}
    </button>
  );
}

/** One line that says which currency leads, and lets the other one; it can be left unanswered. What it says is right from the first paint on. */
export function CurrencyLine({ currency, choose }: Pick<ReturnType<typeof useCurrency>, "currency" | "choose">) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm [@media(scripting:none)]:hidden">
      <Leading dollars="Prices in US dollars ($) first." naira="Prices in naira (₦) first." />
      <button
        type="button"
        className="min-h-11 font-semibold underline underline-offset-4"
        onClick={() => choose(currency === "NGN" ? "USD" : "NGN")}
      >
        <Leading dollars="Show naira first" naira="Show dollars first" />
      </button>
    </p>
  );
}

function Leading({ dollars, naira }: { dollars: string; naira: string }) {
  return (
    <>
      <span className="where-dollars-lead">{dollars}</span>
      <span className="where-naira-leads">{naira}</span>
    </>
  );
}
