import { type ChangeEvent, type ComponentProps, cloneElement, Fragment, type ReactElement, useId, useRef } from "react";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";

type AnyField = HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement;
type Control = ReactElement<{
  id?: string;
  value?: string | number | readonly string[];
  onChange?(event: Pick<ChangeEvent<AnyField>, "target">): void;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}>;

/** A form field with its label above and its error message below. */
export function Field({
  label,
  note,
  problem,
  children,
}: {
  label: string;
  note?: string;
  problem?: string;
  children: Control;
}) {
  const id = useId();
  const { value, onChange } = children.props;
  const box = useRef<HTMLDivElement>(null);
  useEarlyInput(box, () => {
    if (value !== undefined) onChange?.({ target: document.getElementById(id) as AnyField });
  });
  return (
    <div ref={box} className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label} {note && <span className="font-normal text-muted">({note})</span>}
      </label>
      {cloneElement(children, {
        id,
        "aria-invalid": problem ? true : undefined,
        "aria-describedby": problem ? `${id}-problem` : undefined,
      })}
      {problem && (
        <p id={`${id}-problem`} className="text-[0.8125rem] leading-4.5 font-medium text-error">
          {problem}
        </p>
      )}
    </div>
  );
}

type TextProps = Omit<ComponentProps<typeof Field>, "children"> & ComponentProps<"input">;

/** A field for a line of text. */
export function TextField({ label, note, problem, className = "", ...input }: TextProps) {
  return (
    <Field label={label} note={note} problem={problem}>
      <input autoComplete="off" {...input} className={`input ${className}`} />
    </Field>
  );
}

type TicksProps = {
  name: string;
  title: string;
  choices: [value: string, name: string][];
  /** The chosen values, with line breaks between. */
  chosen: string | undefined;
  problem: string | undefined;
};

/** A list of values to tick, posted as a list of this name. */
export function Ticks({ name, title, choices, chosen = "", problem }: TicksProps) {
  const all = chosen.split("\n");
  const id = `${name}-problem`;
  return (
    <fieldset aria-describedby={problem ? id : undefined}>
      <legend className="mb-1.5 font-semibold">{title}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1 wrap-anywhere">
        {choices.map(([value, said]) => (
          <Fragment key={value}>
            <label className="tick">
              <input type="checkbox" name={`${name}[]`} value={value} defaultChecked={all.includes(value)} />
              {said}
            </label>{" "}
          </Fragment>
        ))}
      </div>
      {problem && (
        <p id={id} className="mt-1.5 text-[0.8125rem] leading-4.5 font-medium text-error">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
