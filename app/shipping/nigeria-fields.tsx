import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import { Field, SelectField } from "#app/ui/field.tsx";
import { DELIVERY_DAYS, inBusinessDays } from "./delivery-time.ts";
import type { PlaceProps, VariantProps } from "./field-props.ts";
import { PickupPlace } from "./pickup-place.tsx";
import { HOME_DELIVERY, PICK_UP, rateShown } from "./shipping.ts";
import { governmentsOf } from "./state-names.ts";

/** Without JavaScript the fields of both ways of delivery are shown, and those of the chosen way count. */
const shownIf = (chosen: boolean) => (chosen ? "grid gap-5" : "hidden gap-5 [@media(scripting:none)]:grid");

/** The form's variant for Nigeria: home delivery or pick-up. */
export function NigeriaFields(props: VariantProps) {
  return (
    <>
      <DeliveryType {...props} />
      <HomeFields {...props} />
      <PickupFields {...props} />
    </>
  );
}

function DeliveryType({ fields, errors, rates, rate, dates, onChange }: VariantProps) {
  const pickups = rates.pickups.length;
  const ways = [
    {
      type: HOME_DELIVERY,
      note: fields.state
        ? `${fields.state}: ${dates.nigeria}`
        : `${inBusinessDays(DELIVERY_DAYS.nigeria)} after packing`,
      places: rates.states,
      place: fields.state,
    },
    {
      type: PICK_UP,
      note: fields.pickupCenter
        ? `${fields.pickupCenter}: ${dates.nigeria}`
        : `${pickups} ${pickups === 1 ? "place" : "places"} in Nigeria`,
      places: rates.pickups,
      place: fields.pickupCenter,
    },
  ];
  return (
    <div
      role="radiogroup"
      aria-labelledby="delivery-legend"
      aria-invalid={errors.deliveryType ? true : undefined}
      aria-describedby={errors.deliveryType ? "delivery-error" : undefined}
    >
      <span id="delivery-legend" className="mb-1 block text-sm font-semibold">
        Delivery
      </span>
      <div
        className={`divide-y rounded-cut border bg-white ${errors.deliveryType ? "divide-error/40 border-error" : "divide-ink/25 border-ink/50"}`}
      >
        {ways.map(({ type, note, places, place }, index) => (
          <label
            key={type}
            className="grid min-h-14 cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-3 p-3 has-checked:bg-linen has-focus-visible:outline-2"
          >
            <input
              id={index === 0 ? "deliveryType" : undefined}
              type="radio"
              name="deliveryType"
              value={type}
              checked={fields.deliveryType === type}
              onChange={() => onChange("deliveryType", type)}
              aria-labelledby={`delivery-${index}`}
              aria-describedby={`delivery-note-${index}`}
              className="size-5 accent-ink"
            />
            <span>
              <span id={`delivery-${index}`} className="block font-semibold">
                {type}
              </span>{" "}
              <span id={`delivery-note-${index}`} className="block text-sm text-muted">
                {note}
              </span>
            </span>{" "}
            <WayPrice places={places} place={place} rate={rate} />{" "}
          </label>
        ))}
      </div>
      {errors.deliveryType && (
        <p id="delivery-error" className="mt-1 text-sm font-medium text-error">
          {errors.deliveryType}
        </p>
      )}
    </div>
  );
}

type WayPriceProps = { places: { name: string; rateCents?: UsdCents }[]; place: string; rate: Rate };

/** The price of a way of delivery to the chosen place or, before a place is chosen, the lowest one. */
function WayPrice({ places, place, rate }: WayPriceProps) {
  const chosen = places.find(({ name }) => name === place);
  const costs = (chosen ? [chosen] : places).flatMap(({ rateCents }) => rateCents ?? []);
  if (costs.length === 0) return null;
  const cents = usdCents(Math.min(...costs));
  return (
    <span className="flex items-baseline gap-1.5 text-right text-[0.9375rem]">
      {!chosen && <span>from</span>} <PricePair cents={cents} rate={rate} className="flex-col items-end" />
    </span>
  );
}

/** Where a home delivery goes. */
export function HomeFields({ fields, rates, rate, currency, input }: PlaceProps) {
  const governments = governmentsOf(fields.state);
  return (
    <div className={shownIf(fields.deliveryType === HOME_DELIVERY)}>
      <SelectField label="State" autoComplete="address-level1" {...input("state")}>
        <option value="">Choose a state</option>
        {rates.states.map(({ name, rateCents }) => (
          <option key={name} value={name}>
            {rateCents === undefined ? name : `${name} (${rateShown(rateCents, rate, currency)})`}
          </option>
        ))}
      </SelectField>
      {governments.length > 0 && (
        <SelectField label="Local government" optional {...input("localGovernment")}>
          <option value="">Choose one</option>
          {governments.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
      <Field label="Street and number" autoComplete="address-line1" {...input("address")} />
      <Field label="Apartment" optional autoComplete="address-line2" {...input("apartment")} />
      <Field
        label="Nearest landmark"
        optional
        hint="A church, a filling station, a junction: it helps the rider most."
        {...input("landmark")}
      />
    </div>
  );
}

/** Where an order is picked up. */
export function PickupFields({ fields, rates, rate, currency, input }: PlaceProps) {
  const center = rates.pickups.find(({ name }) => name === fields.pickupCenter);
  return (
    <div className={shownIf(fields.deliveryType === PICK_UP)}>
      <SelectField label="Pick-up center" {...input("pickupCenter")}>
        <option value="">Choose a pick-up center</option>
        {rates.pickups.map(({ name, rateCents }) => (
          <option key={name} value={name}>
            {`${name} (${rateShown(rateCents, rate, currency)})`}
          </option>
        ))}
      </SelectField>
      {center && (
        <div className="bg-linen p-4">
          <PickupPlace center={center} />
        </div>
      )}
    </div>
  );
}
