import { Field } from "../frame/field.tsx";

type Props = {
  label: string;
  note?: string;
  problem?: string;
  value: string;
  /** The most characters. */
  max: number;
  onChange(text: string): void;
};

/** A field for one line of a slide's or a section's words. */
export function LineField({ label, note, problem, value, max, onChange }: Props) {
  return (
    <Field label={label} note={note} problem={problem}>
      <input
        value={value}
        onChange={({ target }) => onChange(target.value)}
        maxLength={max}
        autoComplete="off"
        className="input"
      />
    </Field>
  );
}
