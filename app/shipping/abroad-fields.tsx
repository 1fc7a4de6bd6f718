import { Field } from "#app/ui/field.tsx";
import type { VariantProps } from "./field-props.ts";
import { hasNumericPostalCode } from "./postal-code.ts";
import { countryIn } from "./shipping.ts";

export function AbroadFields({ fields, rates, input }: VariantProps) {
  const code = countryIn(rates.countries, fields.country)?.code ?? "";
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
