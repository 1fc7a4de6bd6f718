import { HOME_DELIVERY, PICK_UP, type ShippingField } from "#app/shipping/shipping.ts";
import { Field } from "../../frame/field.tsx";

type Props = {
  states: string[];
  centers: string[];
  values?: Record<string, string>;
  problems: Partial<Record<string, string>>;
};

const WAYS = { [HOME_DELIVERY]: "To an address", [PICK_UP]: "To a pick-up centre" };

/** Where an order in Nigeria goes. Of the fields for an address and for a pick-up centre, those chosen count. */
export function AddressFields({ states, centers, values, problems }: Props) {
  const text = (name: ShippingField, label: string, rest: { note?: string; type?: string } = {}) => (
    <Field label={label} note={rest.note} problem={problems[name]}>
      <input
        name={name}
        defaultValue={values?.[name]}
        type={rest.type ?? "text"}
        autoComplete="off"
        maxLength={254}
        className="input"
      />
    </Field>
  );
  const list = (name: ShippingField, label: string, options: string[], note?: string) => (
    <Field label={label} note={note} problem={problems[name]}>
      <select name={name} defaultValue={values?.[name]} className="input">
        <option value="">Choose one</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </Field>
  );
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">Where it goes</legend>
      <div className="grid grid-cols-2 gap-3">
        {text("firstName", "First name")}
        {text("lastName", "Last name")}
      </div>
      {text("phoneNumber", "Phone", { type: "tel" })}
      <Field label="Delivery" problem={problems.deliveryType}>
        <select name="deliveryType" defaultValue={values?.deliveryType ?? HOME_DELIVERY} className="input">
          {Object.entries(WAYS).map(([way, words]) => (
            <option key={way} value={way}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      {list("state", "State", states)}
      {text("address", "Address")}
      {text("landmark", "Landmark", { note: "optional" })}
      {centers.length > 0 && list("pickupCenter", "Pick-up centre", centers, "instead of state and address")}
    </fieldset>
  );
}
