import { Field, SelectField } from "#app/ui/field.tsx";
import type { VariantProps } from "./field-props.ts";
import { HOME_DELIVERY, PICK_UP, type PickupCenter, rateShown } from "./shipping.ts";
import { governmentsOf } from "./state-names.ts";

/** Without script both ways of delivery are shown; the chosen one counts. */
const shownIf = (chosen: boolean) => (chosen ? "grid gap-4" : "hidden gap-4 [@media(scripting:none)]:grid");

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

function DeliveryType({ fields, errors, onChange }: VariantProps) {
  return (
    <fieldset aria-describedby={errors.deliveryType ? "delivery-error" : undefined}>
      <legend className="mb-1 text-sm font-semibold">Delivery</legend>
      <div className="grid grid-cols-2 gap-2 sm:gap-4">
        {[HOME_DELIVERY, PICK_UP].map((type) => (
          <label
            key={type}
            className="flex min-h-12 cursor-pointer items-center gap-3 rounded-cut border border-ink/50 px-3 has-checked:border-ink has-checked:bg-linen has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="deliveryType"
              value={type}
              checked={fields.deliveryType === type}
              onChange={() => onChange("deliveryType", type)}
              className="size-5 accent-ink"
            />
            {type}
          </label>
        ))}
      </div>
      {errors.deliveryType && (
        <p id="delivery-error" className="mt-1 text-sm font-medium text-error">
          {errors.deliveryType}
        </p>
      )}
    </fieldset>
  );
}

function HomeFields({ fields, rates, rate, input }: VariantProps) {
  const governments = governmentsOf(fields.state);
  return (
    <div className={shownIf(fields.deliveryType === HOME_DELIVERY)}>
      <SelectField label="State" autoComplete="address-level1" {...input("state")}>
        <option value="">Choose a state</option>
        {rates.states.map(({ name, rateCents }) => (
          <option key={name} value={name}>
            {name} {rateCents !== undefined && `(${rateShown(rateCents, rate)})`}
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

function PickupFields({ fields, rates, rate, input }: VariantProps) {
  return (
    <div className={shownIf(fields.deliveryType === PICK_UP)}>
      <SelectField label="Pick-up center" {...input("pickupCenter")}>
        <option value="">Choose a pick-up center</option>
        {rates.pickups.map(({ name, rateCents }) => (
          <option key={name} value={name}>
            {name} ({rateShown(rateCents, rate)})
          </option>
        ))}
      </SelectField>
      <PickupFacts center={rates.pickups.find(({ name }) => name === fields.pickupCenter)} />
    </div>
  );
}

/** Where a center is and when it is open, as far as its entry says so. */
function PickupFacts({ center }: { center?: PickupCenter }) {
  const where = [center?.address || center?.state, center?.landmark].filter(Boolean);
  if (where.length === 0 && !center?.hours) return null;
  return (
    <p className="rounded-cut bg-linen px-4 py-3 text-sm">
      {where.map((part) => `${part}. `)}
      {center?.hours && <span className="inline-block">Open {center.hours}.</span>}
    </p>
  );
}
