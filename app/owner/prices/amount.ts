import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";

type Amounts = { percents: [number, number] | null; prices: [number, number] | null };

/** The discounts or prices of a plan, such as "20% off" or "$9.00 to $41.99". */
export function amountText({ percents, prices }: Amounts): string {
  const between = ([low, high]: [number, number], text: (amount: number) => string) =>
    low === high ? text(low) : `${text(low)} to ${text(high)}`;
  return [
    percents && `${between(percents, (percent) => `${percent}%`)} off`,
    prices && between(prices, (cents) => formatUsd(usdCents(cents))),
  ]
    .filter(Boolean)
    .join(", ");
}
