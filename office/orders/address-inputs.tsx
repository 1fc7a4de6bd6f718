import type { ReactElement } from "react";
import type { ShippingField } from "#app/shipping/shipping.ts";
import { Field } from "../frame/field.tsx";

type Texts = Partial<Record<string, string>>;

/** The ways of delivery in Nigeria, as the office calls them. */
export const WAYS_WORDS = { "Home Delivery": "To an address", "Pick-up": "To a pick-up centre" } as const;

/** Makes the fields of an address, with these values and problems by field. */
export function addressInputs(values: Texts, problems: Texts) {
  return {
    text: (name: ShippingField, label: string, { note, type = "text" }: { note?: string; type?: string } = {}) => (
      <Field label={label} note={note} problem={problems[name]}>
        <input
          name={name}
          defaultValue={values[name]}
          type={type}
          autoComplete="off"
          maxLength={254}
          className="input"
        />
      </Field>
    ),
    list: (name: ShippingField, label: string, options: string[], note?: string): ReactElement => (
      <Field label={label} note={note} problem={problems[name]}>
        <select name={name} defaultValue={values[name]} className="input">
          <option value="">Choose one</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </Field>
    ),
  };
}
