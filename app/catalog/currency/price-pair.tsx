import { approximateNaira, chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira, formatKobo, formatUsd } from "#app/money/format.ts";
import type { Kobo, UsdCents } from "#app/money/money.ts";
import { CURRENCY_SIGNS, type Currency } from "./country.ts";

type Props = { cents: UsdCents; rate: Rate; charged?: Kobo; className?: string };

/**
 * A price in dollars and in naira; the shopper's currency leads (tokens.css). Behind dollars the naira is approximate; where it leads it is the price,
 * rounded up as what is charged. `charged`: exactly that.
 */
export function PricePair({ cents, rate, charged, className = "" }: Props) {
  return (
    <span className={`price-pair ${className}`}>
      <span className="price">{formatUsd(cents)}</span>{" "}
      <span className="price">{charged === undefined ? <Naira cents={cents} rate={rate} /> : formatKobo(charged)}</span>
    </span>
  );
}

/** The same in the shopper's currency alone, where the pair stands nearby. */
export function LeadingPrice({ cents, rate }: Pick<Props, "cents" | "rate">) {
  return (
    <span className="price">
      <span className="where-dollars-lead">{formatUsd(cents)}</span>
      <span className="where-naira-leads">{formatKobo(chargeInKobo(cents, rate))}</span>
    </span>
  );
}

/** What an amount is typed in: `currency`, else the shopper's. */
export function CurrencySign({ currency }: { currency?: Currency }) {
  if (currency) return CURRENCY_SIGNS[currency];
  return (
    <>
      <span className="where-dollars-lead">{CURRENCY_SIGNS.USD}</span>
      <span className="where-naira-leads">{CURRENCY_SIGNS.NGN}</span>
    </>
  );
}

function Naira({ cents, rate }: { cents: UsdCents; rate: Rate }) {
  return (
    <>
      <span className="where-dollars-lead">{formatApproximateNaira(approximateNaira(cents, rate))}</span>
      <span className="where-naira-leads">{formatKobo(chargeInKobo(cents, rate))}</span>
    </>
  );
}
