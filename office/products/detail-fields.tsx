import type { ReactNode } from "react";
import { DETAILS, type DetailName, detailWord, MOST_LETTERS } from "#app/catalog/product-fields.ts";
import { capital } from "#app/infra/text/capital.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Field, TextField } from "../frame/field.tsx";
import type { Draft } from "./draft.ts";

type Props = {
  title: string;
  names: readonly DetailName[];
  mine: Draft;
  problems: Record<string, string>;
  isReadOnly: boolean;
  onChange(change: Partial<Draft>): void;
  /** What the details are for. */
  children?: ReactNode;
};

/** A folded group of a product's details, whose heading names those that are filled. */
export function DetailFields({ title, names, mine, problems, isReadOnly, onChange, children }: Props) {
  const filled = names.filter((name) => mine[name]);
  return (
    <details className="mt-7" open={names.some((name) => problems[name])}>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 text-base font-[680]">
        <ChevronIcon className="size-5 [details:not([open])_&]:-rotate-90" />
        {title}{" "}
        <span className="text-sm font-normal text-muted">
          {(filled.length > 0 ? filled : names).map(detailWord).join(", ")}
        </span>
      </summary>{" "}
      {children && <p className="mt-1 text-[0.8125rem] text-muted">{children}</p>}
      <fieldset disabled={isReadOnly} className="mt-2 grid gap-4.5">
        <legend className="sr-only">{title}</legend>
        {names.map((name) => {
          const { label, isNumber, isForCustoms } = DETAILS[name];
          const field = {
            name,
            inputMode: isNumber ? ("numeric" as const) : undefined,
            value: mine[name],
            maxLength: MOST_LETTERS,
          };
          const problem = problems[name];
          return isForCustoms ? (
            <TextField
              key={name}
              label={label}
              problem={problem}
              {...field}
              onChange={({ target }) => onChange({ [name]: target.value })}
            />
          ) : (
            <Field key={name} label={capital(name)} problem={problem}>
              <textarea
                rows={2}
                {...field}
                onChange={({ target }) => onChange({ [name]: target.value })}
                className="input"
              />
            </Field>
          );
        })}
      </fieldset>
    </details>
  );
}
