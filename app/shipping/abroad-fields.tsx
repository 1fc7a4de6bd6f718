import { Field } from "#app/ui/field.tsx";
import type { PlaceProps } from "./field-props.ts";
import { hasNumericPostalCode } from "./postal-code.ts";
import { countingFields, countryIn } from "./shipping.ts";

/** The form's variant for other countries. It leaves out fields that addresses of the country do not have. */
export function AbroadFields({ fields, rates, input }: PlaceProps) {
  const { required, optional } = countingFields(fields, rates);
  const code = countryIn(rates.countries, fields.country)?.code ?? "";
  const hasPostalCode = required.includes("postalCode") || optional.includes("postalCode");
  return (
    <>
      <Field label="Address" autoComplete="address-line1" {...input("address")} />
      <Field label="Apartment" optional autoComplete="address-line2" {...input("apartment")} />
      <div className="grid gap-4 sm:auto-cols-fr sm:grid-flow-col">
        <Field label="City" autoComplete="address-level2" {...input("city")} />
        {required.includes("state") && (
          <Field label="State or region" autoComplete="address-level1" {...input("state")} />
        )}
        {hasPostalCode && (
          <Field
            label="Postal code"
            optional={optional.includes("postalCode")}
            autoComplete="postal-code"
            inputMode={hasNumericPostalCode(code) ? "numeric" : "text"}
            {...input("postalCode")}
          />
        )}
      </div>
    </>
  );
}
