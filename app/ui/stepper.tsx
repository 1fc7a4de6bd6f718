import { MinusIcon, PlusIcon } from "./icons.tsx";

type Props = {
  value: number;
  max: number;
  disabled?: boolean;
  onChange(value: number): void;
  onAboveMax?(): void;
  label: string;
};

const STEP = "grid w-11 place-items-center disabled:text-unready aria-disabled:text-unready";

/** Buttons to decrease and increase a number between 1 and `max`. `onAboveMax` is called on a press beyond `max`. */
export function Stepper({ value, max, disabled, onChange, onAboveMax, label }: Props) {
  const atMax = value >= max;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inline in all browsers
    <div role="group" aria-label={label} className="inline-flex h-12 items-stretch rounded-cut border border-ink/50">
      <button
        type="button"
        className={STEP}
        disabled={disabled}
        aria-disabled={value <= 1}
        onClick={() => value > 1 && onChange(value - 1)}
        aria-label="One less"
      >
        <MinusIcon className="size-4" />
        <span className="sr-only">One less</span>
      </button>{" "}
      <output aria-label={label} className="price w-8 self-center text-center" aria-live="polite">
        {value}
      </output>{" "}
      <button
        type="button"
        className={STEP}
        disabled={disabled}
        aria-disabled={atMax}
        onClick={() => (atMax ? onAboveMax?.() : onChange(value + 1))}
        aria-label="One more"
      >
        <PlusIcon className="size-4" />
        <span className="sr-only">One more</span>
      </button>
    </div>
  );
}
