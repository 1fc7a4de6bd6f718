import type { Currency } from "#app/catalog/currency/country.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { ShippingErrors } from "./check.ts";
import type { ArrivalDates } from "./delivery-time.ts";
import type { CheckoutField, ShippingField, ShippingFields, ShippingRates } from "./shipping.ts";

export type ShippingFieldsProps = {
  fields: ShippingFields;
  errors: ShippingErrors;
  rates: ShippingRates;
  /** Naira for one dollar. */
  rate: Rate;
  /** The currency that comes first where a price is shown in both. */
  currency: Currency;
  dates: ArrivalDates;
  /** Whether an offer pays for the standard delivery. */
  isFree: boolean;
  onChange(name: CheckoutField, value: string): void;
};

type InputProps = {
  id: ShippingField;
  name: ShippingField;
  value: string;
  error?: string;
  onChange(event: { target: { value: string } }): void;
};

/** The props of a form's variant. `input` connects a field with its value, its error and `onChange`. */
export type VariantProps = ShippingFieldsProps & { input(name: ShippingField): InputProps };
/** The props of the fields of one way of delivery. */
export type PlaceProps = Pick<VariantProps, "fields" | "rates" | "rate" | "currency" | "input">;

export function inputsOf({
  fields,
  errors,
  onChange,
}: Pick<ShippingFieldsProps, "fields" | "errors" | "onChange">): VariantProps["input"] {
  return (name) => ({
    id: name,
    name,
    value: fields[name],
    error: errors[name],
    onChange: (event) => onChange(name, event.target.value),
  });
}
