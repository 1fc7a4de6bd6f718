import { countUnits, piecesText } from "#app/cart/cart.ts";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import { variantText } from "#app/catalog/sizes.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatRate } from "#app/money/format.ts";
import { kobo, timesCents, usdCents } from "#app/money/money.ts";
import { priceNote } from "#app/offers/price-note.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { OrderLine } from "#db/types.ts";
import type { Sums } from "./sums.ts";

/** Order lines with pictures, for the checkout, the order's page and the history. */
export function OrderLines({ lines, rate }: { lines: OrderLine[]; rate: Rate }) {
  return (
    <ul className="grid gap-4">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
        <li key={at} className="grid grid-cols-[4rem_1fr_auto] gap-3">
          {line.image ? (
            <Picture image={line.image} sizes="64px" upTo={320} />
          ) : (
            <img src="/placeholder.svg" alt="" width={64} height={80} />
          )}{" "}
          <span className="min-w-0">
            <span className="block font-semibold uppercase leading-tight">{line.title}</span>{" "}
            <span className="text-sm text-muted">{`${variantText(line, " / ")} × ${line.quantity}`}</span>
            {priceNote(line) && <span className="block text-sm text-palm">{priceNote(line)}</span>}
          </span>{" "}
          <PricePair
            cents={timesCents(usdCents(line.priceCents), line.quantity)}
            rate={rate}
            className="flex-col items-end"
          />
        </li>
      ))}
    </ul>
  );
}

type SumsProps = {
  sums: Sums;
  rate: Rate;
  shippingKnown?: boolean;
  lead?: string;
  /** By how much cash was rounded down. */
  roundedKobo?: number;
  /** The label of the delivery, and the days between which it arrives. */
  delivery?: { name: string; dates?: string };
};

const NO_DELIVERY = { name: "Delivery", dates: undefined };

export function SumsList({
  sums,
  rate,
  shippingKnown = true,
  roundedKobo,
  lead = "Your card is charged",
  delivery: { name, dates } = NO_DELIVERY,
}: SumsProps) {
  const row = "flex items-baseline justify-between gap-4";
  return (
    <div className="grid gap-2">
      <dl className="grid gap-2">
        <div className={row}>
          <dt>Subtotal</dt>
          <dd>
            <PricePair cents={sums.subtotalCents} rate={rate} className="justify-end" />
          </dd>
        </div>
        <div className={row}>
          <dt>
            <span>{name}</span>
            {dates && <br />}
            {dates && <span className="block text-sm text-muted">{dates}</span>}
          </dt>
          <dd>
            {shippingKnown ? (
              <PricePair cents={sums.shippingCents} rate={rate} className="justify-end" />
            ) : (
              "Choose where to"
            )}
          </dd>
        </div>
        {roundedKobo !== undefined && (
          <div className={row}>
            <dt>Cash rounded down</dt>
            <dd>{`−${formatKobo(kobo(roundedKobo))}`}</dd>
          </div>
        )}
        <div className={`${row} border-t border-hairline pt-2 text-lg font-bold`}>
          <dt>{shippingKnown ? "Total" : "So far"}</dt>
          <dd>
            <Total {...{ sums, rate, shippingKnown }} />
          </dd>
        </div>
      </dl>
      <p className="text-sm text-muted">
        {`${shippingKnown ? `${lead} ${formatKobo(sums.kobo)}` : "Cards are charged in naira"} at $1 = ${formatRate(rate)}.`}
      </p>
    </div>
  );
}

/** The total. Its naira sum is exact if shipping is known, otherwise approximate. */
function Total({ sums, rate, shippingKnown = true }: SumsProps) {
  const charged = shippingKnown ? sums.kobo : undefined;
  return <PricePair cents={sums.totalCents} rate={rate} charged={charged} className="justify-end font-bold" />;
}

/** The panel beside the checkout form. On a phone it is collapsed and shows only the total. */
export function OrderSummary({ lines, ...sums }: SumsProps & { lines: OrderLine[] }) {
  const pieces = countUnits(lines);
  return (
    <aside aria-label="Order summary" className="rounded-cut bg-linen lg:sticky lg:top-6">
      <details className="group px-4 py-1.5 lg:hidden">
        <summary className="flex min-h-11 items-center justify-between gap-3">
          <span className="label">{`Your order, ${piecesText(pieces)}`}</span>{" "}
          <span className="flex items-center gap-3">
            <Total {...sums} />
            <ChevronIcon className="size-5 group-open:rotate-180" />
          </span>
        </summary>
        <div className="grid gap-6 pt-4 pb-2">
          <OrderLines lines={lines} rate={sums.rate} />
          <SumsList {...sums} />
        </div>
      </details>
      <div className="hidden gap-6 p-7 lg:grid">
        <h2 className="headline text-lg">Your order</h2>
        <OrderLines lines={lines} rate={sums.rate} />
        <SumsList {...sums} />
      </div>
    </aside>
  );
}
