import type { ShippingErrors } from "./check.ts";
import type { ShippingField, ShippingFields, ShippingRates } from "./shipping.ts";

export type ShippingFieldsProps = {
  fields: ShippingFields;
  errors: ShippingErrors;
  rates: ShippingRates;
  onChange(name: ShippingField, value: string): void;
};

/** What a variant of the form is given: `input` connects a field with its value, its error and `onChange`. */
export type VariantProps = ShippingFieldsProps & {
  input(name: ShippingField): {
    name: ShippingField;
    value: string;
    error?: string;
    onChange(event: { target: { value: string } }): void;
  };
};
