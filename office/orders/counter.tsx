import { MinusIcon, PlusIcon } from "#app/ui/icons.tsx";

/** Buttons for a quantity between 0 and `max`. */
export function Counter(props: { label: string; value: number; max: number; onChange(value: number): void }) {
  const { label, value, max, onChange } = props;
  const step = "grid w-11 place-items-center disabled:text-muted lg:w-10";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inline in all browsers
    <div
      role="group"
      aria-label={label}
      className="col-start-2 inline-flex h-11 w-max items-stretch rounded-cut border border-field bg-white"
    >
      <button
        type="button"
        className={step}
        disabled={value <= 0}
        onClick={() => onChange(value - 1)}
        aria-label="One less"
      >
        <MinusIcon className="size-5" />
      </button>
      <output aria-label={label} className="w-9 self-center text-center tabular-nums" aria-live="polite">
        {value}
      </output>
      <button
        type="button"
        className={step}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
        aria-label="One more"
      >
        <PlusIcon className="size-5" />
      </button>
    </div>
  );
}
