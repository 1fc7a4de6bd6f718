import { Form, useNavigation } from "react-router";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Section } from "../frame/page.tsx";

type Props = {
  shop: string;
  /** The id of the preview that has the file's text. */
  preview: string;
  problems?: { currency?: string; rate?: string };
  typed?: { currency: string; rate: string };
};

/** Asks for the currency of another shop's file, which does not name it. */
export function CurrencyForm({ shop, preview, problems = {}, typed }: Props) {
  const isPending = useNavigation().formData !== undefined;
  const choice = (value: string, label: string) => (
    <label className="tick">
      <input
        type="radio"
        name="currency"
        value={value}
        required
        defaultChecked={typed?.currency === value}
        aria-describedby="currency-problem"
      />
      {label}
    </label>
  );
  return (
    <Section title={`This is a ${shop} file`}>
      <Form method="post" action="/products/import" className="grid max-w-100 gap-3.5">
        <input type="hidden" name="again" value={preview} />
        <fieldset className="grid gap-1">
          <legend className="font-semibold">Its prices are in</legend>
          {choice("USD", "dollars")}
          {choice("NGN", "naira")}
        </fieldset>
        <p id="currency-problem" className="text-[0.8125rem] font-medium text-error">
          {problems.currency}
        </p>
        <Field label="Naira for one dollar" note="only for prices in naira" problem={problems.rate}>
          <input
            name="rate"
            inputMode="decimal"
            autoComplete="off"
            placeholder="1534.25"
            defaultValue={typed?.rate}
            className="input tabular-nums"
          />
        </Field>
        <p className="text-muted">
          Products have prices in dollars. Prices in naira are divided by this rate and rounded to a cent.
        </p>
        <Button isPending={isPending} className="min-h-12 max-lg:w-full lg:min-h-10 lg:justify-self-start">
          {isPending ? "Reading…" : "Show what would change"}
        </Button>
      </Form>
    </Section>
  );
}
