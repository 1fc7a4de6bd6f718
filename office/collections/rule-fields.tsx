import { FAMILIES } from "#app/catalog/filter/colors.ts";
import { dollarText, usdCents } from "#app/money/money.ts";
import type { CollectionRule } from "#db/types.ts";
import { Field, TextField } from "../frame/field.tsx";
import { useKinds } from "../kinds/context.ts";

type Values = Record<string, string>;

/** A rule as the texts of the form. */
export function ruleValues(rule: CollectionRule | null): Values {
  const { kind = "", colors = [], minCents, maxCents, onSale, newDays } = rule ?? {};
  const price = (cents: number | undefined) => (cents === undefined ? "" : dollarText(usdCents(cents)));
  return {
    ...{ kind, colors: colors.join(" "), from: price(minCents), to: price(maxCents), newDays: String(newDays ?? "") },
    ...(onSale && { onSale: "on" }),
  };
}

type Props = { values: Values; problems: Record<string, string> };

/** The fields for the rule by which products are in a collection. */
export function RuleFields({ values, problems }: Props) {
  const kinds = useKinds();
  const chosen = values.colors?.split(" ") ?? [];
  const text = (name: "from" | "to" | "newDays", label: string, placeholder: string) => (
    <TextField
      label={label}
      problem={problems[name]}
      name={name}
      defaultValue={values[name]}
      inputMode="decimal"
      placeholder={placeholder}
      className="tabular-nums"
    />
  );
  return (
    <>
      <Field label="Kind" problem={problems.kind}>
        <select name="kind" defaultValue={values.kind} className="input" autoComplete="off">
          <option value="">Any</option>
          {kinds.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <fieldset>
        <legend className="mb-1.5 font-semibold">
          Colours <span className="font-normal text-muted">(none: any)</span>
        </legend>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {Object.entries(FAMILIES).map(([family, { name }]) => (
            <label key={family} className="tick">
              <input type="checkbox" name="colors[]" value={family} defaultChecked={chosen.includes(family)} />
              {name}{" "}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-4">
        {text("from", "From, in dollars", "20")}
        {text("to", "Up to", "49.99")}
      </div>
      <label className="tick">
        <input type="checkbox" name="onSale" defaultChecked={values.onSale === "on"} />
        On sale
      </label>
      {text("newDays", "Added within so many days", "30")}
    </>
  );
}
