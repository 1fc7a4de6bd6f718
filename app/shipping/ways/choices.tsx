import type { ReactNode } from "react";

type Props = {
  name: string;
  /** What the ids inside begin with. */
  prefix: string;
  legend: string;
  choices: { value: string; title: ReactNode; note: string; price: ReactNode }[];
  chosen: string | undefined;
  error: string | undefined;
  onChoose(value: string): void;
};

/** A group of radio buttons, each with a note and a price. Its error is below it and is announced with it. */
export function Choices({ name, prefix, legend, choices, chosen, error, onChoose }: Props) {
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${prefix}-legend`}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${prefix}-error` : undefined}
    >
      <span id={`${prefix}-legend`} className="mb-1 block text-sm font-semibold">
        {legend}
      </span>
      <div
        className={`divide-y rounded-cut border bg-white ${error ? "divide-error/40 border-error" : "divide-ink/25 border-ink/50"}`}
      >
        {choices.map(({ value, title, note, price }, index) => (
          <label
            key={value}
            className="grid min-h-14 cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-3 p-3 has-checked:bg-linen has-focus-visible:outline-2"
          >
            <input
              id={index === 0 ? name : undefined}
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              onChange={() => onChoose(value)}
              aria-labelledby={`${prefix}-${index}`}
              aria-describedby={`${prefix}-note-${index}`}
              className="size-5 accent-ink"
            />
            <span>
              <span id={`${prefix}-${index}`} className="block font-semibold">
                {title}
              </span>{" "}
              <span id={`${prefix}-note-${index}`} className="block text-sm text-muted">
                {note}
              </span>
            </span>{" "}
            {price}{" "}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${prefix}-error`} className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}
