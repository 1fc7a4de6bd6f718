import type { useCurrency } from "./choice.browser.ts";
import { WithoutStyles } from "./price-pair.tsx";

/**
 * A line with the currency shown first and a button for the other one. The shopper may ignore it. CSS selects its text,
 * so it is right from the first paint on.
 */
export function CurrencyLine({ currency, choose }: Pick<ReturnType<typeof useCurrency>, "currency" | "choose">) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm [@media(scripting:none)]:hidden">
      <Leading dollars="Prices in dollars." naira="Prices in naira." />{" "}
      <button
        type="button"
        className="min-h-11 font-semibold underline underline-offset-4"
        onClick={() => choose(currency === "NGN" ? "USD" : "NGN")}
      >
        <Leading dollars="Switch to naira" naira="Switch to dollars" />
      </button>
    </p>
  );
}

function Leading({ dollars, naira }: { dollars: string; naira: string }) {
  return (
    <>
      <span className="where-dollars-lead">{dollars}</span>
      <WithoutStyles> Or: </WithoutStyles>
      <span className="where-naira-leads">{naira}</span>
    </>
  );
}
