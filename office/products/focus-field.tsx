import { pictureUrl } from "#app/catalog/product.ts";
import type { ProductImage } from "#db/types.ts";
import { Hint } from "../frame/page.tsx";

const MIDDLE = 50;

type Props = { image: Omit<ProductImage, "alt">; isReadOnly: boolean; onChange(focus: string): void };

/** Chooses the point of a picture that crops keep, by a press on the picture or by two sliders. */
export function FocusField({ image, isReadOnly, onChange }: Props) {
  const [x = MIDDLE, y = MIDDLE] = image.focus?.split(" ").map(Number.parseFloat) ?? [];
  const focusOn = (left: number, top: number) =>
    onChange(`${Math.min(100, Math.max(0, Math.round(left)))}% ${Math.min(100, Math.max(0, Math.round(top)))}%`);
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the same is done by the two sliders beside it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same is done by the two sliders beside it */}
      <div
        className="relative cursor-crosshair self-start overflow-hidden rounded-cut"
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
        <Hint>Press on the picture. The point in the ring always stays visible.</Hint>
        <Slider label="From the left" value={x} onChange={(left) => focusOn(left, y)} />
        <Slider label="From the top" value={y} onChange={(top) => focusOn(x, top)} />
      </div>
    </div>
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
