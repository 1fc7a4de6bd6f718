import { useRef } from "react";
import * as messages from "#app/messages.ts";
import { SelectField } from "#app/ui/field.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { addressText } from "../address.ts";
import type { ShippingFields } from "../shipping.ts";
import { emptyPlace, fieldsOf, type Saved } from "./book.ts";

/** The field of the choice, by which the query names it, too. */
const CHOICE = "savedAddress";
const FORM = "saved-addresses";

/**
 * The form that chooses a saved address without JavaScript. Its field stands within the checkout's form, which posts
 * nothing of it. `keeps`: the other parameters of the query.
 */
export function ChoiceForm({ keeps }: { keeps: Record<string, string> }) {
  return (
    <form id={FORM} method="get" action="/checkout" hidden>
      {Object.entries(keeps).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  );
}

type Props = {
  fields: ShippingFields;
  saved: Saved[];
  /** The address that the form has; undefined for any other place. */
  chosen: Saved | undefined;
  onChoose(fields: Partial<ShippingFields>): void;
};

/**
 * The choice of a saved address. With JavaScript it fills in the form at once; what it replaces comes back with a
 * different address, since arrow keys choose one address after the other.
 */
export function SavedAddresses({ fields, saved, chosen, onChoose }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const different = useRef(emptyPlace());
  const choose = (id: string) => {
    const { email: _, deliveryWay: __, ...typed } = fields;
    if (!chosen) different.current = typed;
    const one = saved.find((address) => address.id === id);
    onChoose(one ? fieldsOf(one.address) : different.current);
  };
  useEarlyInput(place, ({ [CHOICE]: id }) => {
    if (id !== undefined) choose(id);
  });
  return (
    <div ref={place} className="grid gap-2">
      <SelectField
        label="Saved addresses"
        id={CHOICE}
        name={CHOICE}
        form={FORM}
        autoComplete="off" // after a reload the choice follows the form's fields, not the browser's memory
        value={chosen?.id ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{messages.addressBook.another}</option>
        {saved.map(({ id, address }) => (
          <option key={id} value={id}>
            {nameOfSaved(address)}
          </option>
        ))}
      </SelectField>
      <noscript>
        <button type="submit" form={FORM} className="label min-h-12 rounded-cut border border-ink px-4">
          Use this address
        </button>
      </noscript>
    </div>
  );
}

/** A saved address on one line: "Ada Obi: 1 Broad Street, Lagos, Nigeria". */
function nameOfSaved(address: Saved["address"]): string {
  return `${address.firstName} ${address.lastName}: ${addressText({ ...address, pickupCenter: "" })}`;
}

/**
 * Asks whether to save what is typed. With JavaScript it is shown only if `isOffered`: for an address that is not saved
 * yet.
 */
export function SaveAddress({ isOffered, isTicked }: { isOffered: boolean; isTicked?: boolean }) {
  return (
    <label className={`min-h-11 items-center gap-3 ${isOffered ? "flex" : "hidden [@media(scripting:none)]:flex"}`}>
      <input
        type="checkbox"
        name="saveAddress"
        value="yes"
        defaultChecked={isTicked}
        className="size-5 shrink-0 accent-ink"
      />
      <span>Save this address</span>
    </label>
  );
}
