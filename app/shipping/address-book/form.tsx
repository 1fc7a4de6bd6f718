import { Form } from "react-router";
import { useCurrency } from "#app/catalog/currency/choice.browser.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { AbroadFields } from "../abroad-fields.tsx";
import type { ShippingErrors } from "../check.ts";
import { CountryField, PersonFields, Section } from "../fields.tsx";
import { HomeFields } from "../nigeria-fields.tsx";
import { isNigeria, type ShippingFields, type ShippingRates } from "../shipping.ts";
import { useFields } from "./use-fields.browser.ts";

/** The errors of a posted address. `fields`: the input, for a page without script. */
export type SavedAddressAnswer = { problem?: string; errors?: ShippingErrors; fields?: ShippingFields };

type Props = {
  initial: ShippingFields;
  rates: ShippingRates;
  /** Naira for one dollar. */
  rate: Rate;
  answer?: SavedAddressAnswer;
  busy: boolean;
};

/** The checkout's form for home delivery, without the email, as the form of a saved address. */
export function SavedAddressForm({ initial, rates, rate, answer, busy }: Props) {
  const { currency } = useCurrency();
  const { form, fields, onInput, input } = useFields({ ...initial, ...answer?.fields }, rates, answer?.errors);
  const isHere = isNigeria(fields.country);
  const Place = isHere ? HomeFields : AbroadFields;
  return (
    <Form ref={form} method="post" onInput={onInput} noValidate className="grid gap-6">
      <Section number={1} title="Where to">
        <CountryField rates={rates} input={input} />
        {fields.country && <Place fields={fields} rates={rates} rate={rate} currency={currency} input={input} />}
      </Section>
      <PersonFields isHere={isHere} asksEmail={false} input={input} />
      <div className="flex flex-wrap gap-3">
        <Button busy={busy}>Save address</Button>{" "}
        <ButtonLink to="/account#settings" look="outline">
          Back to my account
        </ButtonLink>
      </div>
    </Form>
  );
}
