import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { UsdCents } from "#app/money/money.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { HOME_DELIVERY, PICK_UP, type ShippingRates } from "./shipping.ts";
import { wayText } from "./ways/text.ts";

/** The delivery prices of all places, and those of further ways, in collapsible lists. */
export function ShippingPrices({ rates, rate }: { rates: ShippingRates; rate: Rate }) {
  const { states, pickups, countries, ways } = rates;
  return (
    <div className="mt-6 divide-y divide-hairline border-y border-hairline">
      <Places title={`Nigeria: ${HOME_DELIVERY}`} places={states} rate={rate} />
      <Places title={`Nigeria: ${PICK_UP}`} places={pickups} rate={rate} />
      <Places title="Other countries" places={countries} rate={rate} />
      {ways && (
        <Places
          title="Other ways, where the checkout offers them"
          places={ways.map((way) => ({ name: wayText(way), rateCents: way.rateCents }))}
          rate={rate}
        />
      )}
    </div>
  );
}

type PlacesProps = { title: string; places: { name: string; rateCents?: UsdCents }[]; rate: Rate };

function Places({ title, places, rate }: PlacesProps) {
  return (
    <details className="group">
      <summary className="label flex min-h-12 items-center justify-between">
        {title} <ChevronIcon className="size-5 group-open:rotate-180" />
      </summary>
      <dl className="gap-x-10 pb-5 sm:columns-2">
        {places.map(({ name, rateCents }) => (
          <div key={name} className="flex break-inside-avoid justify-between gap-4 py-1">
            <dt>{name}</dt>
            <dd className="price text-right">
              {rateCents === 0
                ? "free"
                : rateCents !== undefined && <PricePair cents={rateCents} rate={rate} className="justify-end" />}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
