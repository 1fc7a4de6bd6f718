import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { useAskedCurrency } from "./ask.browser.ts";
import { useCurrency } from "./choice.browser.ts";
import type { Currency } from "./country.ts";

const CHOICES: { currency: Currency; name: string }[] = [
  { currency: "USD", name: "US dollars ($)" },
  { currency: "NGN", name: "Nigerian naira (₦)" },
];

/** The dialog for choosing a currency, which is stored in this browser. */
export function CurrencyDialog() {
  const { isOpen, close, answered } = useAskedCurrency();
  const { currency, choose } = useCurrency();
  return (
    <Dialog open={isOpen} onClose={close} title="Choose your currency">
      <div className="grid gap-4 p-5">
        <p>We show this currency first. Cards are always charged in naira.</p>
        {CHOICES.map((choice) => (
          <Button
            key={choice.currency}
            type="button"
            look={choice.currency === currency ? "solid" : "outline"}
            aria-pressed={choice.currency === currency}
            onClick={() => {
              choose(choice.currency);
              answered();
            }}
          >
            {choice.name}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
