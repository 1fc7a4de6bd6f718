import type { ReactNode } from "react";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { ArrivalDates } from "../delivery-time.ts";
import { usePlace } from "./place.browser.ts";
import { deliveryName, isOfKind, type PricedPlace } from "./place.ts";

const GROUPS = [
  { kind: "home", title: "Nigeria, to your door" },
  { kind: "pickup", title: "Nigeria, pick-up" },
  { kind: "abroad", title: "Other countries" },
] as const;

type Props = {
  rate: Rate;
  /** Shown while no place is known and until the list of places has loaded. */
  children: ReactNode;
  link: ReactNode;
};

/** The content of `DeliverTo` once its script has loaded. */
export function Estimate({ rate, children, link }: Props) {
  const { places, place, dates, choose } = usePlace();
  return (
    <>
      {place && dates ? <Costs place={place} dates={dates} rate={rate} /> : <span>{children}</span>}
      {places?.length ? <PlacePicker places={places} place={place} onChoose={choose} /> : link}
    </>
  );
}

function Costs({ place, dates, rate }: { place: PricedPlace; dates: ArrivalDates; rate: Rate }) {
  const kind = GROUPS.find((group) => isOfKind(place, group.kind))?.kind ?? "home";
  return (
    <>
      <b className="font-semibold">
        <span>{`${deliveryName(kind, place.name)} `}</span>
        <span>{place.rateCents === 0 ? "free" : <PricePair cents={place.rateCents} rate={rate} />}</span>
      </b>
      <span>{`, ${kind === "abroad" ? dates.abroad : dates.nigeria}. `}</span>
    </>
  );
}

type PickerProps = { places: PricedPlace[]; place: PricedPlace | undefined; onChoose(key: string): void };

/** A link within the text, with an invisible native select on top of it. */
function PlacePicker({ places, place, onChoose }: PickerProps) {
  return (
    <span className="relative whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-offset-2">
      <span aria-hidden="true" className="text-palm underline underline-offset-4">
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
