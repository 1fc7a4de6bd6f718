import { HOME_DELIVERY } from "#app/shipping/shipping.ts";
import { Field } from "../../frame/field.tsx";
import { addressInputs, WAYS_WORDS } from "../address-inputs.tsx";

type Props = {
  states: string[];
  centers: string[];
  values?: Record<string, string>;
  problems: Partial<Record<string, string>>;
};

/**
 * The fields for the destination of an order in Nigeria. The chosen way of delivery decides whether the address or the
 * pick-up centre counts.
 */
export function AddressFields({ states, centers, values = {}, problems }: Props) {
  const { text, list } = addressInputs(values, problems);
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">Where it goes</legend>
      <div className="grid grid-cols-2 gap-3">
        {text("firstName", "First name")}
        {text("lastName", "Last name")}
      </div>
      {text("phoneNumber", "Phone", { type: "tel" })}
      <Field label="Delivery" problem={problems.deliveryType}>
        <select name="deliveryType" defaultValue={values.deliveryType ?? HOME_DELIVERY} className="input">
          {Object.entries(WAYS_WORDS).map(([way, words]) => (
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
