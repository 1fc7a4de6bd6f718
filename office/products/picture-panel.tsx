import { LeftIcon, RightIcon } from "#app/ui/icons.tsx";
import type { ProductImage } from "#db/types.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { FocusField } from "./focus-field.tsx";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

type Props = {
  image: ProductImage;
  at: number;
  count: number;
  isReadOnly: boolean;
  onChange(change: Partial<ProductImage>): void;
  onMove(to: number): void;
  onRemove(): void;
};

/** The form of one picture: its text for screen readers, the point that crops keep, and its position. */
export function PicturePanel({ image, at, count, isReadOnly, onChange, onMove, onRemove }: Props) {
  const which = ORDINALS[at] ?? `${at + 1}th`;
  return (
    <fieldset disabled={isReadOnly} aria-label={`The ${which} picture`} className="mt-3.5 grid gap-3.5">
      <Field label={`Words for the ${which} picture`}>
        <input
          value={image.alt}
          onChange={({ target }) => onChange({ alt: target.value })}
          maxLength={300}
          autoComplete="off"
          className="input"
        />
      </Field>
      <Hint className="-mt-2">Read out to shoppers who can’t see it. Without words, the title is read.</Hint>
      <FocusField image={image} isReadOnly={isReadOnly} onChange={(focus) => onChange({ focus })} />
      <div className="flex flex-wrap gap-2">
        <Button type="button" look="line" isDisabled={isReadOnly || at === 0} onPress={() => onMove(at - 1)}>
          <LeftIcon className="size-4.5" />
          Earlier
        </Button>
        <Button type="button" look="line" isDisabled={isReadOnly || at === count - 1} onPress={() => onMove(at + 1)}>
          Later
          <RightIcon className="size-4.5" />
        </Button>
        <Button type="button" look="bare" isDisabled={isReadOnly} className="ml-auto px-2" onPress={onRemove}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
