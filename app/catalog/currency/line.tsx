import type { useCurrency } from "./choice.browser.ts";

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
