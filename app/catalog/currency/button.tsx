import { askCurrency } from "./ask.browser.ts";
import { useCurrency } from "./choice.browser.ts";

/** A button with the current currency that opens the currency dialog. */
export function CurrencyButton() {
  const { currency } = useCurrency();
  return (
    <button
      type="button"
      onClick={() => askCurrency()}
      className="min-h-11 self-center text-sm underline underline-offset-4 [@media(scripting:none)]:hidden"
    >
      {`Currency: ${currency}`}
    </button>
  );
}
