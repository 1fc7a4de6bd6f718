import type { ReactNode } from "react";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import { Link } from "#app/ui/link.tsx";
import type { ArrivalDates } from "./delivery-time.ts";
import { usePlace } from "./place.browser.ts";
import { isOfKind, type Place } from "./places.ts";
import { deliveryName } from "./shipping.ts";

const LINK = "text-palm underline underline-offset-4";
const GROUPS = [
  { kind: "home", title: "Nigeria, to your door" },
  { kind: "pickup", title: "Nigeria, pick-up" },
  { kind: "abroad", title: "Other countries" },
] as const;

/**
 * What delivery costs and when it arrives, where the place is known; else `children`, and a way to choose one. Pages are the same for everybody: the
 * place comes by script, into the lines that are kept free for it. Without script the prices are a link away.
 */
export function DeliverTo({ rate, lines = 2, children }: { rate: Rate; lines?: 2 | 3; children: ReactNode }) {
  const { places, place, dates, choose } = usePlace();
  return (
    <span className={lines === 3 ? "block min-h-[3lh]" : "block min-h-[2lh]"}>
      {place && dates ? <Estimate place={place} dates={dates} rate={rate} /> : children}{" "}
      {places?.length ? (
        <PlacePicker places={places} place={place} onChoose={choose} />
      ) : (
        <Link to="/shipping-policy#prices" className={`whitespace-nowrap ${LINK}`}>
          What it costs
        </Link>
      )}
    </span>
  );
}

function Estimate({ place, dates, rate }: { place: Place; dates: ArrivalDates; rate: Rate }) {
  const kind = GROUPS.find((group) => isOfKind(place, group.kind))?.kind ?? "home";
  return (
    <>
      <b className="font-semibold">
        {deliveryName(kind, place.name)}{" "}
        {place.rateCents === 0 ? "free" : <PricePair cents={place.rateCents} rate={rate} />}
      </b>
      , {kind === "abroad" ? dates.abroad : dates.nigeria}.
    </>
  );
}

type PickerProps = { places: Place[]; place: Place | undefined; onChoose(key: string): void };

/** A link in the text, over which the browser's own list lies. */
function PlacePicker({ places, place, onChoose }: PickerProps) {
  return (
    <span className="relative whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-offset-2">
      <span aria-hidden="true" className={LINK}>
        {place ? "Another place" : "What it costs"}
      </span>
      <select
        aria-label="Deliver to"
        value={place?.key ?? ""}
        onChange={({ target }) => onChoose(target.value)}
        className="absolute -inset-x-1 top-1/2 h-11 -translate-y-1/2 cursor-pointer text-base opacity-0"
      >
        {!place && <option value="">Choose a place</option>}
        {GROUPS.map(({ kind, title }) => (
          <optgroup key={kind} label={title}>
            {places
              .filter((one) => isOfKind(one, kind))
              .map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </span>
  );
}
