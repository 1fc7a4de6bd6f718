import { Picture } from "#app/ui/picture.tsx";
import type { ProductImage } from "#db/types.ts";

type Props = { images: ProductImage[]; current: number; onShow(index: number): void; className?: string };

/** Small pictures that show the large ones when pressed. Hidden without JavaScript. */
export function Thumbnails({ images, current, onShow, className = "" }: Props) {
  return (
    <ul className={`no-scrollbar flex overflow-x-auto [@media(scripting:none)]:hidden ${className}`}>
      {images.map((image, index) => (
        <li key={image.hash} className="w-11 shrink-0">
          <button
            type="button"
            onClick={() => onShow(index)}
            aria-current={index === current}
            className="relative block w-full p-1 after:absolute after:inset-1 after:rounded-cut after:border after:border-hairline aria-[current=true]:after:border-2 aria-[current=true]:after:border-ink"
          >
            <Picture image={image} sizes="36px" upTo={320} alt="" />
            <span className="sr-only">{`Show picture ${index + 1}: ${image.alt}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
