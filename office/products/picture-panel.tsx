import { pictureUrl } from "#app/catalog/product.ts";
import { LeftIcon, RightIcon } from "#app/ui/icons.tsx";
import type { ProductImage } from "#db/types.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const MIDDLE = 50;

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
  const [x = MIDDLE, y = MIDDLE] = image.focus?.split(" ").map(Number.parseFloat) ?? [];
  const focusOn = (left: number, top: number) =>
    onChange({
      focus: `${Math.min(100, Math.max(0, Math.round(left)))}% ${Math.min(100, Math.max(0, Math.round(top)))}%`,
    });
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
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the same is done by the two sliders beside it */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same is done by the two sliders beside it */}
        <div
          className="relative cursor-crosshair overflow-hidden rounded-cut"
          style={{ aspectRatio: `${image.width} / ${image.height}`, background: image.background }}
          onClick={({ currentTarget, clientX, clientY }) => {
            if (isReadOnly) return;
            const box = currentTarget.getBoundingClientRect();
            focusOn(((clientX - box.left) / box.width) * 100, ((clientY - box.top) / box.height) * 100);
          }}
        >
          <img src={pictureUrl(image, 320, "webp")} alt="" className="size-full" />
          <span
            className="absolute -m-2.75 size-5.5 rounded-full border-2 border-white shadow-[0_0_0_1.5px_var(--color-ink)]"
            style={{ left: `${x}%`, top: `${y}%` }}
          />
        </div>
        <div className="grid content-start gap-2">
          <p className="text-[0.8125rem] leading-4.5 text-muted">
            Press on the picture: a crop keeps the point in the ring.
          </p>
          <Slider label="From the left" value={x} onChange={(left) => focusOn(left, y)} />
          <Slider label="From the top" value={y} onChange={(top) => focusOn(x, top)} />
        </div>
      </div>
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

function Slider({ label, value, onChange }: { label: string; value: number; onChange(value: number): void }) {
  return (
    <label className="grid grid-cols-[6rem_minmax(0,1fr)_2.5rem] items-center gap-2">
      {label}
      <input
        type="range"
        min={0}
        max={100}
        value={value}
        onChange={({ target }) => onChange(Number(target.value))}
        className="h-11 w-full accent-ink lg:h-8"
      />
      <span className="text-right text-muted tabular-nums">{value}%</span>
    </label>
  );
}
