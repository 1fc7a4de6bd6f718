import type { UsdCents } from "#app/money/money.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { HOME_DELIVERY, PICK_UP, rateShown, type ShippingRates } from "./shipping.ts";

/** What delivery costs, place by place, to be unfolded. */
export function ShippingPrices({ rates: { states, pickups, countries } }: { rates: ShippingRates }) {
  return (
    <div className="mt-6 divide-y divide-hairline border-y border-hairline">
      <Places title={`Nigeria: ${HOME_DELIVERY}`} places={states} />
      <Places title={`Nigeria: ${PICK_UP}`} places={pickups} />
      <Places title="Other countries" places={countries} />
    </div>
  );
}

function Places({ title, places }: { title: string; places: { name: string; rateCents?: UsdCents }[] }) {
  return (
    <details className="group">
      <summary className="label flex min-h-12 items-center justify-between">
        {title} <ChevronIcon className="size-5 group-open:rotate-180" />
      </summary>
      <dl className="gap-x-10 pb-5 sm:columns-2">
        {places.map(({ name, rateCents }) => (
          <div key={name} className="flex break-inside-avoid justify-between gap-4 py-1">
            <dt>{name}</dt>
            <dd className="price">{rateCents !== undefined && rateShown(rateCents)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
