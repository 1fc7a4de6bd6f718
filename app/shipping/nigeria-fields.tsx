import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import { useNumbers } from "#app/numbers/context.tsx";
import { Field, SelectField } from "#app/ui/field.tsx";
import { inBusinessDays, standardDays } from "./delivery-time.ts";
import type { PlaceProps, VariantProps } from "./field-props.ts";
import { PickupPlace } from "./pickup-place.tsx";
import { HOME_DELIVERY, PICK_UP, rateShown } from "./shipping.ts";
import { governmentsOf } from "./state-names.ts";
import { Choices } from "./ways/choices.tsx";

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
  const numbers = useNumbers();
  return (
    <Choices
      name="deliveryType"
      prefix="delivery"
      legend="Delivery"
      choices={[
        {
          value: HOME_DELIVERY,
          title: HOME_DELIVERY,
          note: fields.state
            ? `${fields.state}: ${dates.nigeria}`
            : `${inBusinessDays(standardDays(numbers).nigeria)} after packing`,
          price: <LeastPrice places={rates.states} place={fields.state} rate={rate} />,
        },
        {
          value: PICK_UP,
          title: PICK_UP,
          note: fields.pickupCenter
            ? `${fields.pickupCenter}: ${dates.nigeria}`
            : `${pickups} ${pickups === 1 ? "place" : "places"} in Nigeria`,
          price: <LeastPrice places={rates.pickups} place={fields.pickupCenter} rate={rate} />,
        },
      ]}
      chosen={fields.deliveryType}
      error={errors.deliveryType}
      onChoose={(type) => onChange("deliveryType", type)}
    />
  );
}

type LeastPriceProps = { places: { name: string; rateCents?: UsdCents }[]; place: string; rate: Rate };

/** The price of a delivery type to the chosen place or, before a place is chosen, the lowest one. */
function LeastPrice({ places, place, rate }: LeastPriceProps) {
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
