import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira, formatKobo, formatUsd } from "#app/money/format.ts";
import type { Kobo, UsdCents } from "#app/money/money.ts";

type Props = { cents: UsdCents; rate: Rate; charged?: Kobo; className?: string };

/** A price in dollars and in naira; the shopper's currency leads. The naira is approximate, except where it is what is `charged`. */
export function PricePair({ cents, rate, charged, className = "" }: Props) {
  return (
    <span className={`price-pair ${className}`}>
      <span className="price">{formatUsd(cents)}</span>{" "}
      <span className="price">
        {charged === undefined ? formatApproximateNaira(approximateNaira(cents, rate)) : formatKobo(charged)}
      </span>
    </span>
  );
}
