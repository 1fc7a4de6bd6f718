import { useRef, useState } from "react";
import { Picture } from "#app/ui/picture.tsx";
import type { ProductImage } from "#db/types.ts";
import { LargeView } from "./large-view.tsx";
import { PlaceholderPicture } from "./placeholder-picture.tsx";

/** Swipes with a counter on small screens, with thumbnails everywhere; a tap shows the picture large. Works as a plain scroller without script. */
export function Gallery({ images }: { images: ProductImage[] }) {
  const strip = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [zoomed, setZoomed] = useState(false);
  const show = (index: number) => strip.current?.scrollTo({ left: index * strip.current.clientWidth });
  const shown = images[current];
  if (images.length === 0) return <PlaceholderPicture className="-mx-4 sm:mx-0" />;
  return (
    <div className="grid content-start gap-3 lg:grid-cols-[5rem_1fr]">
      <div className="relative -mx-4 sm:mx-0 lg:col-start-2">
        <ul
          ref={strip}
          className="no-scrollbar flex snap-x scroll-smooth snap-mandatory overflow-x-auto"
          onScroll={(event) => setCurrent(Math.round(event.currentTarget.scrollLeft / event.currentTarget.clientWidth))}
        >
          {images.map((image, index) => (
            <li key={image.hash} className="w-full shrink-0 snap-center">
              <button
                type="button"
                onClick={() => setZoomed(true)}
                aria-label={`${image.alt}: show large`}
                className="block w-full cursor-zoom-in!"
              >
                <Picture
                  image={image}
                  sizes="(min-width: 1280px) 42rem, (min-width: 1024px) 48vw, 100vw"
                  urgent={index === 0}
                />
              </button>
            </li>
          ))}
        </ul>
        {images.length > 1 && (
          <p
            className="price absolute right-3 bottom-3 rounded-cut bg-paper/90 px-2 py-1 text-sm lg:hidden [@media(scripting:none)]:hidden"
            aria-live="polite"
          >
            {current + 1} / {images.length}
          </p>
        )}
      </div>
      <ul className="flex gap-2 lg:col-start-1 lg:row-start-1 lg:flex-col [@media(scripting:none)]:hidden">
        {images.map((image, index) => (
          <li key={image.hash} className="w-16 lg:w-20">
            <button
              type="button"
              onClick={() => show(index)}
              aria-label={`Show picture ${index + 1}: ${image.alt}`}
              aria-current={index === current}
              className="relative block w-full after:absolute after:inset-0 after:rounded-cut aria-[current=true]:after:border-2 aria-[current=true]:after:border-ink"
            >
              <Picture image={image} sizes="80px" upTo={320} alt="" />
            </button>
          </li>
        ))}
      </ul>
      {shown && <LargeView image={shown} open={zoomed} onClose={() => setZoomed(false)} />}
    </div>
  );
}
