import { Form } from "react-router";
import { useCurrency } from "#app/catalog/currency/choice.browser.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { AbroadFields } from "#app/shipping/abroad-fields.tsx";
import { useFields } from "#app/shipping/address-book/use-fields.browser.ts";
import type { ShippingErrors } from "#app/shipping/check.ts";
import { PersonFields, Section } from "#app/shipping/fields.tsx";
import { HomeFields, PickupFields } from "#app/shipping/nigeria-fields.tsx";
import {
  isNigeria,
  PICK_UP,
  type ShippingFields,
  type ShippingForm,
  type ShippingRates,
} from "#app/shipping/shipping.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";

/** What is wrong with a posted form. `version` is that of the address as it is now, if it has changed. */
export type AddressAnswer = {
  problem: string;
  errors?: ShippingErrors;
  version?: string;
  /** What was typed, for a page without script. */
  kept?: { fields: ShippingFields; landmarkStays: boolean };
  /** The address can no longer be changed here. */
  isOver?: true;
};

type Props = {
  /** The order's address. */
  form: ShippingForm;
  version: string;
  rates: ShippingRates;
  /** The order's rate, in naira for one dollar. */
  rate: Rate;
  /** The path of the order's page. */
  back: string;
  answer?: AddressAnswer;
  busy: boolean;
};

/** The checkout's form for the address of an order, without the country and the way of delivery. */
export function AddressForm({ form, version, rates, rate, back, answer, busy }: Props) {
  const { currency } = useCurrency();
  const { country, deliveryType, landmark } = form;
  const initial = { ...form, ...answer?.kept?.fields, country, deliveryType };
  const { form: element, fields, onInput, input } = useFields(initial, rates, answer?.errors);
  const isHere = isNigeria(country);
  const Place = isHere ? (deliveryType === PICK_UP ? PickupFields : HomeFields) : AbroadFields;
  return (
    <Form ref={element} method="post" onInput={onInput} noValidate className="grid gap-6">
      <input type="hidden" name="version" value={answer?.version ?? version} />
      <Section number={1} title="Where to">
        <Place fields={fields} rates={rates} rate={rate} currency={currency} input={input} />
        {isHere && landmark && (
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              name="landmarkStays"
              defaultChecked={answer?.kept?.landmarkStays}
              className="size-5 shrink-0 accent-ink"
            />
            <span>{`The new address is also near ${landmark}`}</span>
          </label>
        )}
      </Section>
      <PersonFields isHere={isHere} input={input} />
      <div className="flex flex-wrap gap-3">
        <Button busy={busy}>Save address</Button>{" "}
        <ButtonLink to={back} look="outline">
          Back to the order
        </ButtonLink>
      </div>
    </Form>
  );
}
