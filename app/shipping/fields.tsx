import * as messages from "#app/messages.ts";
import { EmailField, Field, SelectField } from "#app/ui/field.tsx";
import { AbroadFields } from "./abroad-fields.tsx";
import { inputsOf, type ShippingFieldsProps, type VariantProps } from "./field-props.ts";
import { NigeriaFields } from "./nigeria-fields.tsx";
import { isNigeria, NIGERIA } from "./shipping.ts";
import { WayChoice } from "./ways/way-choice.tsx";

/** The shipping form, in the variant for Nigeria or for other countries. */
export function ShippingFields(props: ShippingFieldsProps) {
  const { fields, rates } = props;
  const nigeria = isNigeria(fields.country);
  const input = inputsOf(props);
  return (
    <>
      <Section number={1} title="Where to">
        <CountryField rates={rates} input={input} />
        {fields.country &&
          (nigeria ? <NigeriaFields {...props} input={input} /> : <AbroadFields {...props} input={input} />)}
        {fields.country && !nigeria && <p className="text-muted">{messages.order.duties}</p>}
        <WayChoice {...props} />
      </Section>
      <PersonFields isHere={nigeria} input={input} />
    </>
  );
}

/** The country. Without JavaScript a button shows the fields for it: the form is posted with the intent "update". */
export function CountryField({ rates, input }: Pick<VariantProps, "rates" | "input">) {
  const countries = [NIGERIA, ...rates.countries].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  return (
    <div className="grid gap-2">
      <SelectField label="Country" autoComplete="country-name" {...input("country")}>
        <option value="">Choose a country</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <noscript>
        <button
          type="submit"
          name="intent"
          value="update"
          className="label min-h-12 rounded-cut border border-ink px-4"
        >
          Update
        </button>
      </noscript>
    </div>
  );
}

type PersonProps = { isHere: boolean; asksEmail?: boolean } & Pick<VariantProps, "input">;

/** Who it is for. `isHere`: it goes to a place in Nigeria. `asksEmail`: an order's mails go there. */
export function PersonFields({ isHere, asksEmail = true, input }: PersonProps) {
  return (
    <Section number={2} title="Who is it for?">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <Field label="First name" autoComplete="given-name" {...input("firstName")} />
        <Field label="Last name" autoComplete="family-name" {...input("lastName")} />
      </div>
      {asksEmail && <EmailField {...input("email")} />}
      <Field
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        errorAbove={isHere}
        hint={
          isHere
            ? "11 digits, like 0803 123 4567: the rider will call this number."
            : "With your country's code: the carrier will call this number."
        }
        {...input("phoneNumber")}
      />
    </Section>
  );
}

/** A numbered part of the form. */
export function Section({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return (
    <section className={`grid gap-5 ${number > 1 ? "border-t border-hairline pt-7" : ""}`}>
      <h2 className="headline text-xl">
        {number}. {title}
      </h2>
      {children}
    </section>
  );
}
