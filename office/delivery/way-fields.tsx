import { WAY_NAME_MAX } from "#app/owner/delivery/ways.ts";
import { Field, Ticks } from "../frame/field.tsx";

type Props = {
  /** The texts by field; the places with line breaks between. */
  values: Record<string, string>;
  problems: Record<string, string>;
  /** Every place that can be ticked, as [its key, its name]. */
  places: [key: string, name: string][];
};

/** The fields of a way of delivery. They work without JavaScript. */
export function WayFields({ values, problems, places }: Props) {
  const text = (name: string, more: { maxLength?: number; inputMode?: "decimal" | "numeric" } = {}) => (
    <input name={name} defaultValue={values[name]} autoComplete="off" className="input" {...more} />
  );
  return (
    <div className="grid max-w-160 gap-4.5">
      <Field label="Name" note="as shoppers see it, like Express" problem={problems.name}>
        {text("name", { maxLength: WAY_NAME_MAX })}
      </Field>
      <Field
        label="Price in dollars"
        note="for the whole delivery, instead of the standard rate"
        problem={problems.dollars}
      >
        {text("dollars", { inputMode: "decimal" })}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Business days, at least" note="0 is the same day" problem={problems.fromDays}>
          {text("fromDays", { inputMode: "numeric" })}
        </Field>
        <Field label="Business days, at most" note="from the order to the door" problem={problems.toDays}>
          {text("toDays", { inputMode: "numeric" })}
        </Field>
      </div>
      <Field
        label="Order by"
        note="optional: a time like 14:00; later orders count from the next day"
        problem={problems.orderBy}
      >
        {text("orderBy", { maxLength: 5 })}
      </Field>
      <Ticks
        name="places"
        title="Where it’s offered"
        choices={places}
        chosen={values.places}
        problem={problems.places}
      />
    </div>
  );
}
