import { useId } from "react";
import type { SizeStock } from "./sizes.ts";

type Props = {
  sizes: SizeStock[];
  chosen: string;
  onChoose(size: string): void;
  /** A message beside the word "Size". Its space is reserved, so that nothing moves. */
  note?: string;
};

/** The look of the label around a size's radio button. */
export const SIZE_BOX =
  "relative grid h-12 min-w-14 cursor-pointer place-items-center rounded-cut border border-ink/50 px-3 font-semibold hover:border-ink has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-disabled:cursor-not-allowed has-disabled:border-hairline has-disabled:text-muted has-disabled:line-through has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink forced-colors:has-checked:border-4";

/** The sizes as buttons. A sold-out size is struck through and announced as sold out. */
export function SizePicker({ sizes, chosen, onChoose, note }: Props) {
  const name = useId();
  return (
    <fieldset aria-labelledby={name} className="min-w-0">
      <p className="mb-1 min-h-11 content-center pr-24 text-sm">
        <span id={name} className="mr-3 font-semibold">
          Size
        </span>
        <span role="status" className="text-ember-deep">
          {note}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {sizes.map(({ size, available }) => (
          <label key={size} className={SIZE_BOX}>
            <input
              type="radio"
              name="size"
              required
              value={size}
              checked={chosen === size}
              disabled={available === 0}
              onChange={() => onChoose(size)}
              className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
            />
            {size}
            {available === 0 && <span className="sr-only"> sold out</span>}{" "}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
