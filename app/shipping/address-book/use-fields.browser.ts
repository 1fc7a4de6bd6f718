import { useRef, useState } from "react";
import { useErrors } from "#app/ui/answers.browser.ts";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { type ShippingErrors, withOfferedPlaces } from "../check.ts";
import { inputsOf } from "../field-props.ts";
import {
  isNigeria,
  SHIPPING_FIELDS,
  type ShippingField,
  type ShippingFields,
  type ShippingRates,
} from "../shipping.ts";

/**
 * The shipping form's fields in a form that the server alone checks and that keeps no draft. `found`: the server's
 * errors, each shown until its field is changed.
 */
export function useFields(initial: ShippingFields, rates: ShippingRates, found: ShippingErrors | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<ShippingFields>(() => withOfferedPlaces(initial, rates));
  const [errors, onInput] = useErrors(found);
  const onChange = (name: ShippingField, value: string) =>
    setFields((before) => ({
      ...before,
      [name]: value,
      ...(name === "country" && { state: "" }),
      ...(name === "state" && isNigeria(before.country) && { localGovernment: "" }),
    }));
  useEarlyInput(form, (early) => {
    for (const name of SHIPPING_FIELDS) {
      const text = early[name];
      if (text !== undefined) onChange(name, text);
    }
  });
  return { form, fields, onInput, input: inputsOf({ fields, errors, onChange }) };
}
