import { useState } from "react";
import { sizeName } from "#app/catalog/sizes.ts";
import { LINE_MAX, MEASURE_MAX, NAME_MAX } from "#app/owner/size-guides/size-guide.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Field, Ticks } from "../frame/field.tsx";
import { Section } from "../frame/page.tsx";
import { useKinds } from "../kinds/context.ts";
import { ALL_SIZES, COLUMNS, type Column, isUsed } from "./grid.ts";

type Values = Record<string, string>;
type Props = {
  values: Values;
  problems: Record<string, string>;
  /** All collections, in the owner's order. */
  collections: { id: string; name: string }[];
};

/** The fields of a size guide: what it is for, and its table. They work without JavaScript. */
export function SizeGuideFields({ values, problems, collections }: Props) {
  const kinds = useKinds();
  return (
    <div className="lg:grid lg:grid-cols-[24rem_minmax(0,1fr)] lg:gap-x-16">
      <Section title="What it’s for">
        <div className="grid gap-4.5">
          <Field label="Name" note="for the staff alone" problem={problems.name}>
            <input name="name" defaultValue={values.name} maxLength={NAME_MAX} autoComplete="off" className="input" />
          </Field>
          <Ticks
            name="kinds"
            title="Kinds"
            choices={kinds.map(({ id, name }) => [id, name])}
            chosen={values.kinds}
            problem={problems.kinds}
          />
          {collections.length > 0 && (
            <Ticks
              name="collections"
              title="Products put into these collections"
              choices={collections.map(({ id, name }) => [id, name])}
              chosen={values.collections}
              problem={problems.collections}
            />
          )}
          <Field label="These products" note="ids or addresses, one a line" problem={problems.products}>
            <textarea name="products" rows={3} defaultValue={values.products} className="input" />
          </Field>
          <p className="text-muted">
            A product has its own guide first, then that of its collection, then that of its kind. With none, its page
            shows the shop’s own sizes.
          </p>
        </div>
      </Section>
      <div>
        <Section title="Measures in cm">
          <Measures values={values} problems={problems} />
        </Section>
        <Section title="How it falls">
          <Field
            label="A line for shoppers"
            note="optional, like: Fits large: take your usual size or one smaller"
            problem={problems.falls}
          >
            <input name="falls" defaultValue={values.falls} maxLength={LINE_MAX} autoComplete="off" className="input" />
          </Field>
        </Section>
      </div>
    </div>
  );
}

type MeasuresProps = Pick<Props, "values" | "problems">;

/**
 * The columns of the table, one below the other, so that they fit on a phone. Those that are empty at first are folded
 * away, and no column moves while somebody types.
 */
function Measures({ values, problems }: MeasuresProps) {
  const [shown] = useState(() => {
    const used = COLUMNS.filter((at) => isUsed(values, at));
    return used.length > 0 ? used : COLUMNS.slice(0, 1);
  });
  const others = COLUMNS.filter((at) => !shown.includes(at));
  const column = (at: Column) => <Measure key={at} at={at} values={values} problems={problems} />;
  return (
    <div className="grid gap-6">
      <p className="text-muted">
        A size is in the table if you type its measures. Empty a measure to take it out. Shoppers see inches, too.
      </p>
      {shown.map(column)}
      {others.length > 0 && (
        <details>
          <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold lg:min-h-9">
            <ChevronIcon className="size-5 [details:not([open])_&]:-rotate-90" />
            Add measures
          </summary>
          <div className="mt-2 grid gap-6">{others.map(column)}</div>
        </details>
      )}
    </div>
  );
}

function Measure({ at, values, problems }: MeasuresProps & { at: Column }) {
  const [name, meaning] = [`measure.${at}`, `meaning.${at}`];
  return (
    <fieldset className="border-l-2 border-hairline pl-4">
      <legend className="sr-only">{`Measure ${at + 1}`}</legend>
      <div className="grid gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={`Measure ${at + 1}`} note="like Chest" problem={problems[name]}>
            <input
              name={name}
              defaultValue={values[name]}
              maxLength={MEASURE_MAX}
              autoComplete="off"
              className="input"
            />
          </Field>
          <Field label="How to measure it" note="optional" problem={problems[meaning]}>
            <input
              name={meaning}
              defaultValue={values[meaning]}
              maxLength={LINE_MAX}
              placeholder="Around the fullest part of your chest"
              autoComplete="off"
              className="input"
            />
          </Field>
        </div>
        <div className="grid grid-cols-3 gap-3 sm:grid-cols-6">
          {ALL_SIZES.map((size) => (
            <Field key={size} label={sizeName(size)} problem={problems[`${size}.${at}`]}>
              <input
                name={`${size}.${at}`}
                defaultValue={values[`${size}.${at}`]}
                inputMode="decimal"
                maxLength={20}
                autoComplete="off"
                className="input tabular-nums"
              />
            </Field>
          ))}
        </div>
      </div>
    </fieldset>
  );
}
