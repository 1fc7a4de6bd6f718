import { LeftIcon, RightIcon } from "#app/ui/icons.tsx";
import type { ProductImage } from "#db/types.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
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

/** One picture: what is read out of it, which point of it crops keep, and where it stands. */
export function PicturePanel({ image, at, count, isReadOnly, onChange, onMove, onRemove }: Props) {
  const which = ORDINALS[at] ?? `${at + 1}th`;
  return (
    <fieldset disabled={isReadOnly} className="mt-3.5 grid gap-3.5">
      <Field label={`Words for the ${which} picture`}>
        <input
          value={image.alt}
          onChange={({ target }) => onChange({ alt: target.value })}
          maxLength={300}
          autoComplete="off"
          className="input"
        />
      </Field>
      <p className="-mt-2 text-[0.8125rem] leading-4.5 text-muted">
        Read out to shoppers who do not see it; without words, the title is.
      </p>
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
          Take it out
        </Button>
      </div>
    </fieldset>
  );
}
