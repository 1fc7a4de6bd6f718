import { askCurrency } from "./ask.browser.ts";
import { useCurrency } from "./choice.browser.ts";

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
