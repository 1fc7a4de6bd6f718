import type { Rate } from "#app/money/exchange-rate.ts";
import type { UsdCents } from "#app/money/money.ts";
import { LeadingPrice, PricePair } from "../currency/price-pair.tsx";

type Props = { cents: UsdCents; rate: Rate; isShort?: boolean; className?: string };

/** The price before the sale, struck. `isShort`: in the shopper's currency only, for places next to a `PricePair`. */
export function OldPrice({ cents, rate, isShort = false, className = "" }: Props) {
  return (
    <s className={`text-sm font-normal text-muted [&_.price]:line-through ${className}`}>
      <span className="sr-only">Before: </span>
      {isShort ? (
        <LeadingPrice cents={cents} rate={rate} />
      ) : (
        <PricePair cents={cents} rate={rate} className="gap-x-2" />
      )}
    </s>
  );
}
