import { approximateNaira, chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatNaira, formatUsd } from "#app/money/format.ts";
import type { Kobo, UsdCents } from "#app/money/money.ts";
import { CURRENCY_SIGNS, type Currency } from "./country.ts";

type Props = { cents: UsdCents; rate: Rate; charged?: Kobo; className?: string };

/**
 * A price in dollars and in naira, the shopper's currency first (tokens.css). After the dollars, the naira are
 * approximate; in first place they are the amount to be charged, rounded up. `charged` is the exact amount of an order,
 * shown in both cases.
 */
export function PricePair({ cents, rate, charged, className = "" }: Props) {
  return (
    <span className={`price-pair ${className}`}>
      <span className="price">{formatUsd(cents)}</span>{" "}
      <span className="price">{charged === undefined ? <Naira cents={cents} rate={rate} /> : formatKobo(charged)}</span>
    </span>
  );
}

/** A price in the shopper's currency only, for places close to a `PricePair`. */
export function LeadingPrice({ cents, rate }: Pick<Props, "cents" | "rate">) {
  return (
    <span className="price">
      <span className="where-dollars-lead">{formatUsd(cents)}</span>
      <WithoutStyles>, in naira </WithoutStyles>
      <span className="where-naira-leads">{formatKobo(chargeInKobo(cents, rate))}</span>
    </span>
  );
}

/** The sign of the currency in which an amount is entered: `currency`, or else the shopper's. */
export function CurrencySign({ currency }: { currency?: Currency }) {
  if (currency) return <span>{CURRENCY_SIGNS[currency]}</span>;
  return (
    <>
      <span className="where-dollars-lead">{CURRENCY_SIGNS.USD}</span>
      <WithoutStyles> or </WithoutStyles>
      <span className="where-naira-leads">{CURRENCY_SIGNS.NGN}</span>
    </>
  );
}

/**
 * Words for readers of the bare markup, where CSS hides one of two texts: text browsers, search engines, price
 * crawlers, reader views.
 */
export function WithoutStyles({ children }: { children: string }) {
  return <span hidden>{children}</span>;
}

function Naira({ cents, rate }: { cents: UsdCents; rate: Rate }) {
  const approximate = formatNaira(approximateNaira(cents, rate));
  const charged = formatKobo(chargeInKobo(cents, rate));
  if (approximate === charged)
    return (
      <>
        <span className="where-dollars-lead">≈ </span>
        <span>{charged}</span>
      </>
    );
  return (
    <>
      <span className="where-dollars-lead">{`≈ ${approximate}`}</span>
      <WithoutStyles>, charged as </WithoutStyles>
      <span className="where-naira-leads">{charged}</span>
    </>
  );
}
