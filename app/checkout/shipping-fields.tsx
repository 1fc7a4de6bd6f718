import { Field, SelectField } from "#app/ui/field.tsx";
import {
  HOME_DELIVERY,
  hasNumericPostalCode,
  isNigeria,
  NIGERIA,
  PICK_UP,
  rateShown,
  type ShippingField,
  type ShippingRates,
  type ShippingFields as Values,
} from "./shipping.ts";
import type { ShippingErrors } from "./shipping-check.ts";

type Props = {
  fields: Values;
  errors: ShippingErrors;
  rates: ShippingRates;
  localGovernments: Record<string, string[]>;
  onChange(name: ShippingField, value: string): void;
};

/** The SHIPPING form: its Nigerian or its international variant, as the country says. */
export function ShippingFields(props: Props) {
  const { fields, errors, rates, onChange } = props;
  const nigeria = isNigeria(fields.country);
  const input = (name: ShippingField) => ({
    name,
    value: fields[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
  });
  const countries = [NIGERIA, ...rates.countries].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  return (
    <>
      <Section number={1} title="Where to">
        <div className="grid gap-2">
          <SelectField label="Country" autoComplete="country-name" {...input("country")}>
            <option value="">Choose a country</option>
            {countries.map(({ code, name }) => (
              <option key={code} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
          <noscript>
            <button
              type="submit"
              name="intent"
              value="update"
              className="label min-h-12 rounded-cut border border-ink px-4"
            >
              Update
            </button>
          </noscript>
        </div>
        {fields.country &&
          (nigeria ? <NigeriaFields {...props} input={input} /> : <AbroadFields {...props} input={input} />)}
      </Section>
      <Section number={2} title="Who gets it">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="First name" autoComplete="given-name" {...input("firstName")} />
          <Field label="Last name" autoComplete="family-name" {...input("lastName")} />
        </div>
        <Field label="Email" type="email" autoComplete="email" {...input("email")} />
        <Field
          label="Phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          errorAbove={nigeria}
          hint={
            nigeria
              ? "11 digits, like 0803 123 4567: the rider calls it."
              : "With your country's code: the carrier calls it."
          }
          {...input("phoneNumber")}
        />
      </Section>
    </>
  );
}

function Section({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return (
    <section className="grid gap-4 border-t border-hairline pt-6">
      <h2 className="label">
        {number}. {title}
      </h2>
      {children}
    </section>
  );
}

type Inner = Props & {
  input(name: ShippingField): {
    name: ShippingField;
    value: string;
    error?: string;
    onChange(event: { target: { value: string } }): void;
  };
};

/** Without script both ways of delivery are shown; the chosen one counts. */
const shownIf = (chosen: boolean) => (chosen ? "grid gap-4" : "hidden gap-4 [@media(scripting:none)]:grid");

function NigeriaFields({ fields, errors, rates, localGovernments, onChange, input }: Inner) {
  const home = fields.deliveryType === HOME_DELIVERY;
  const pickup = fields.deliveryType === PICK_UP;
  const governments = localGovernments[fields.state] ?? [];
  return (
    <>
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
      <div className={shownIf(home)}>
        <SelectField label="State" autoComplete="address-level1" {...input("state")}>
          <option value="">Choose a state</option>
          {rates.states.map(({ name, rateCents }) => (
            <option key={name} value={name}>
              {name} {rateCents !== undefined && `(${rateShown(rateCents)})`}
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
      <div className={shownIf(pickup)}>
        <SelectField label="Pick-up center" {...input("pickupCenter")}>
          <option value="">Choose a pick-up center</option>
          {rates.pickups.map(({ name, rateCents }) => (
            <option key={name} value={name}>
              {name} ({rateShown(rateCents)})
            </option>
          ))}
        </SelectField>
        <PickupFacts center={rates.pickups.find(({ name }) => name === fields.pickupCenter)} />
      </div>
    </>
  );
}

function PickupFacts({ center }: { center?: ShippingRates["pickups"][number] }) {
  if (!center) return null;
  return (
    <p className="rounded-cut bg-linen px-4 py-3 text-sm">
      {center.address}. {center.landmark}. <span className="inline-block">Open {center.hours}.</span>
    </p>
  );
}

function AbroadFields({ fields, rates, input }: Inner) {
  const code = rates.countries.find(({ name }) => name === fields.country)?.code ?? "";
  const numeric = hasNumericPostalCode(code);
  return (
    <>
      <Field label="Address" autoComplete="address-line1" {...input("address")} />
      <Field label="Apartment" optional autoComplete="address-line2" {...input("apartment")} />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="City" autoComplete="address-level2" {...input("city")} />
        <Field label="State or region" autoComplete="address-level1" {...input("state")} />
        <Field
          label="Postal code"
          autoComplete="postal-code"
          inputMode={numeric ? "numeric" : "text"}
          {...input("postalCode")}
        />
      </div>
    </>
  );
}
