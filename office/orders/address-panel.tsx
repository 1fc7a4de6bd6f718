import { useState } from "react";
import { addressLines } from "#app/shipping/address.ts";
import { NIGERIA } from "#app/shipping/nigeria.ts";
import { PICK_UP, type ShippingForm } from "#app/shipping/shipping.ts";
import { Hint } from "../frame/page.tsx";
import { addressInputs, WAYS_WORDS } from "./address-inputs.tsx";
import { emailHint, Panel, PanelForm, type useSeen } from "./panel.tsx";

type Props = {
  /** The current address. */
  form: ShippingForm;
  states: string[];
  centers: string[];
  seen: ReturnType<typeof useSeen>;
  problem?: string;
  problems: Partial<Record<string, string>>;
  isPending: boolean;
  hasEmail: boolean;
};

/**
 * A panel to change the address of an order that has not been sent. The rules are those of the shop's own form; the
 * country cannot change.
 */
export function AddressPanel({ form, states, centers, seen, problem, problems, isPending, hasEmail }: Props) {
  const [delivery, setDelivery] = useState(form.deliveryType);
  const isHere = form.country === NIGERIA.name;
  const isPickUp = isHere && delivery === PICK_UP;
  const { text, list } = addressInputs(form, problems);
  return (
    <Panel title="Change the address">
      <PanelForm intent="address" seen={seen} problem={problem} isPending={isPending} submit="Change the address">
        {seen.since.some(({ action }) => action === "orders address") && (
          <p className="text-muted">Current address: {addressLines(form).join(", ")}.</p>
        )}
        <input type="hidden" name="country" value={form.country} />
        {isHere && (
          <fieldset>
            <legend className="mb-1 font-semibold">Delivery</legend>
            {Object.entries(WAYS_WORDS).map(([value, label]) => (
              <label key={value} className="tick">
                <input
                  type="radio"
                  name="deliveryType"
                  value={value}
                  checked={delivery === value}
                  onChange={() => setDelivery(value as typeof delivery)}
                />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        <div className="grid grid-cols-2 gap-3">
          {text("firstName", "First name")}
          {text("lastName", "Last name")}
        </div>
        {text("phoneNumber", "Phone", { type: "tel" })}
        {text("email", "Email", { type: "email" })}
        {isPickUp ? (
          list("pickupCenter", "Pick-up centre", centers)
        ) : (
          <>
            {text("address", "Address")}
            {text("apartment", "Apartment", { note: "optional" })}
            {text("city", "City", isHere ? { note: "optional" } : {})}
            {isHere ? list("state", "State", states) : text("state", "State or region")}
            {isHere && text("localGovernment", "Local government", { note: "optional" })}
            {isHere && text("landmark", "Landmark", { note: "optional" })}
            {isHere && form.landmark && (
              <label className="tick">
                <input type="checkbox" name="landmarkStays" />
                The new address is also near {form.landmark}
              </label>
            )}
            {!isHere && text("postalCode", "Postal code")}
          </>
        )}
        <Hint>
          The delivery price stays as it was.{" "}
          <span>{emailHint(hasEmail, "We email the shopper the new address.")}</span> The landmark is removed with the
          old address, unless you change it or choose to keep it.
        </Hint>
      </PanelForm>
    </Panel>
  );
}
