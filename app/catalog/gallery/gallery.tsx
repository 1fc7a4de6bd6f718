import { useState } from "react";
import * as messages from "#app/messages.ts";
import { Picture } from "#app/ui/picture.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useLater } from "#app/ui/use-later.browser.ts";
import type { ProductImage } from "#db/types.ts";
import { PlaceholderPicture } from "../placeholder-picture.tsx";
import { useStrip } from "./strip.browser.ts";
import { Thumbnails } from "./thumbnails.tsx";

/** On phones never so high that name and price would stand below the first screen; in a wide or low window the next picture shows beside it. */
const SMALL = "aspect-[4/5] w-[min(100%,49.6svh,max(80svh-15rem,12rem))]";
const SMALL_SIZES = "min(100vw, 50svh)";
const COLUMN_SIZES = `(min-width: 1440px) 27.5rem, (min-width: 1024px) calc(46vw - 12.5rem), ${SMALL_SIZES}`;
const WHOLE_SIZES = `(min-width: 1440px) 55.5rem, (min-width: 1024px) calc(92vw - 24.5rem), ${SMALL_SIZES}`;

/** All pictures: in two columns on large screens, else swiped with a counter and thumbnails. A press shows one large. Without script it scrolls. */
export function Gallery({ images }: { images: ProductImage[] }) {
  const { strip, current, onScroll, show } = useStrip();
  const [large, setLarge] = useState<number>();
  const [touched, setTouched] = useState(false);
  const touch = () => setTouched(true);
  const view = useLater(
    large !== undefined,
    () => import("./large-view.tsx"),
    () => {
      setLarge(undefined);
      toast.error(messages.form.unavailable);
    },
  );
  if (images.length === 0)
    return <PlaceholderPicture className="mx-auto w-full max-w-[min(100%,49.6svh)] lg:max-w-lg" />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that what lies in it is used
    <div className="relative min-w-0" onPointerDown={touch} onFocus={touch} onScrollCapture={touch}>
      <ul
        ref={strip}
        data-gallery=""
        onScroll={onScroll}
        className="no-scrollbar relative flex snap-x snap-mandatory gap-1 overflow-x-auto lg:grid lg:grid-cols-2 lg:gap-2 lg:overflow-visible"
      >
        {images.map((image, index) => {
          const isWhole = index === images.length - 1 && images.length % 2 === 1;
          return (
            <li
              key={image.hash}
              className={`shrink-0 snap-start lg:w-auto ${SMALL} ${isWhole ? (images.length === 1 ? ALONE : LAST) : ""}`}
            >
              <button
                type="button"
                onClick={() => setLarge(index)}
                aria-label={`${image.alt}: show large`}
                className="block size-full cursor-zoom-in!"
              >
                <Picture
                  image={image}
                  sizes={isWhole ? WHOLE_SIZES : COLUMN_SIZES}
                  urgent={index === 0}
                  className={`size-full aspect-auto! ${index > 1 && !touched ? "put-off" : ""}`}
                />
              </button>
            </li>
          );
        })}
      </ul>
      {images.length > 1 && (
        <div // as high as its thumbnails, also before they have arrived
          className="absolute inset-x-2 bottom-2 flex min-h-[3.3125rem] justify-between gap-3 lg:hidden [@media(scripting:none)]:hidden"
        >
          <Thumbnails images={images} current={current} onShow={show} />
          <p
            className="price m-1 min-w-13 self-end rounded-cut bg-paper/90 px-2 py-1 text-center text-sm"
            aria-live="polite"
          >
            {`${current + 1} / ${images.length}`}
          </p>
        </div>
      )}
      {view && <view.LargeView images={images} first={large} onClose={() => setLarge(undefined)} />}
    </div>
  );
}

/** Over both columns: the last one of an odd number, mostly a close view, is cut to a strip; a single one stays whole. */
const LAST = "lg:col-span-2 lg:aspect-[3/2] lg:[&_img]:object-[50%_70%]";
const ALONE = "mx-auto lg:col-span-2 lg:mx-0 lg:aspect-square lg:[&_img]:object-contain";
