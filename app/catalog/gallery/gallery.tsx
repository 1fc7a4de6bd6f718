import { useState } from "react";
import * as messages from "#app/messages.ts";
import { Picture } from "#app/ui/picture.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useLater } from "#app/ui/use-later.browser.ts";
import type { ProductImage } from "#db/types.ts";
import { PlaceholderPicture } from "../placeholder-picture.tsx";
import { useStrip } from "./strip.browser.ts";
import { Thumbnails } from "./thumbnails.tsx";

/**
 * The height of a picture on phones is limited, so that name and price are visible without scrolling. In a wide or low
 * window, the next picture is visible beside it.
 */
const SMALL = "aspect-[4/5] w-[min(100%,49.6svh,max(80svh-18rem,12rem))]";
const SMALL_SIZES = "min(100vw, 50svh)";
const COLUMN_SIZES = `(min-width: 1440px) 25.25rem, (min-width: 1024px) calc(46vw - 14.75rem), ${SMALL_SIZES}`;
const WHOLE_SIZES = `(min-width: 1440px) 51rem, (min-width: 1024px) calc(92vw - 29rem), ${SMALL_SIZES}`;

/**
 * All pictures of a product, with thumbnails: in two columns on large screens, otherwise in a strip to swipe with a
 * counter. A press on a picture opens it large. Without JavaScript the strip scrolls.
 */
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
  // The column for the thumbnails is reserved from the start, since they load after the pictures.
  const beside = images.length > 1 ? "lg:grid lg:grid-cols-[4rem_minmax(0,1fr)] lg:gap-2" : "";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that what lies in it is used
    <div className={`relative min-w-0 ${beside}`} onPointerDown={touch} onFocus={touch} onScrollCapture={touch}>
      <ul
        ref={strip}
        data-gallery=""
        onScroll={onScroll}
        className="no-scrollbar relative flex min-w-0 snap-x snap-mandatory gap-1 overflow-x-auto lg:col-start-2 lg:grid lg:self-start lg:grid-cols-2 lg:gap-2 lg:overflow-visible"
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
        <div // above the garment, whose hem is at the foot
          className="absolute inset-x-2 top-2 flex justify-between gap-3 lg:sticky lg:inset-x-auto lg:top-20 lg:col-start-1 lg:row-start-1 lg:self-start [@media(scripting:none)]:hidden"
        >
          <Thumbnails
            images={images}
            current={current}
            onShow={(index) => (index === current ? setLarge(index) : show(index))}
            className="lg:flex-col lg:gap-1 lg:[&>li]:w-16"
          />
          <p
            className="price m-1 min-w-13 self-start lg:hidden rounded-cut bg-paper/90 px-2 py-1 text-center text-sm"
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

/**
 * The last picture of an odd number spans both columns and is cropped to a strip: it is usually a close-up. A single
 * picture is not cropped.
 */
const LAST = "lg:col-span-2 lg:aspect-[3/2] lg:[&_img]:object-[50%_70%]";
const ALONE = "mx-auto lg:col-span-2 lg:mx-0 lg:aspect-square lg:[&_img]:object-contain";
