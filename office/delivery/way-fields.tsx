import { Fragment } from "react";
import { WAY_NAME_MAX } from "#app/owner/delivery/ways.ts";
import { Field } from "../frame/field.tsx";

type Props = {
  /** The texts by field; the places with line breaks between or, as a refused form has them, with spaces. */
  values: Record<string, string>;
  problems: Record<string, string>;
  /** Every place that can be ticked, as [its key, its name]. */
  places: [key: string, name: string][];
};

/** The fields of a way of delivery. They work without JavaScript. */
export function WayFields({ values, problems, places }: Props) {
  const ticked = placesIn(values.places ?? "");
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
        <Field label="Business days from" note="0 is the same day" problem={problems.fromDays}>
          {text("fromDays", { inputMode: "numeric" })}
        </Field>
        <Field label="to" note="from the order to the door" problem={problems.toDays}>
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
      <fieldset aria-describedby={problems.places ? "places-problem" : undefined}>
        <legend className="mb-1.5 font-semibold">Where it’s offered</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-1 wrap-anywhere">
          {places.map(([key, name]) => (
            <Fragment key={key}>
              <label className="tick">
                <input type="checkbox" name="places[]" value={key} defaultChecked={ticked.includes(key)} />
                {name}
              </label>{" "}
            </Fragment>
          ))}
        </div>
        {problems.places && (
          <p id="places-problem" className="mt-1.5 text-[0.8125rem] leading-4.5 font-medium text-error">
            {problems.places}
          </p>
        )}
      </fieldset>
    </div>
  );
}

function placesIn(text: string): string[] {
  return text.includes("\n") ? text.split("\n") : text.split(/ (?=(?:state|country) )/);
}
