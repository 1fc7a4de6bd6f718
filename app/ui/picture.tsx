import { WIDTHS } from "./picture-sizes.ts";

export type PictureSource = {
  hash: string;
  width: number;
  height: number;
  alt: string;
  background: string;
  /** The point that stays visible in a crop, for example "30% 70%". */
  focus?: string;
};

/** The `srcset` of a picture, with widths from a quarter of `upTo` to `upTo`. */
export const srcSet = (hash: string, format: string, upTo: number) =>
  WIDTHS.filter((width) => width <= upTo && width >= upTo / 4)
    .map((width) => `/images/${hash}/${width}.${format} ${width}w`)
    .join(", ");

type Props = {
  image: PictureSource;
  sizes: string;
  /** The largest width of the picture on the page, in device pixels. */
  upTo?: 320 | 800 | 1200;
  eager?: boolean;
  urgent?: boolean;
  className?: string;
  alt?: string;
};

/**
 * A picture in the width that fits, with a background colour and a spinner while it loads. A browser too old for WebP
 * gets a JPEG of medium size.
 */
export function Picture({
  image,
  sizes,
  upTo = 1200,
  eager = false,
  urgent = false,
  className = "",
  alt = image.alt,
}: Props) {
  return (
    <span
      className={`waits-turning relative block overflow-hidden rounded-cut ${className}`}
      style={{ background: image.background, aspectRatio: `${image.width} / ${image.height}` }}
    >
      {urgent && (
        <link
          rel="preload"
          as="image"
          type="image/avif"
          href={`/images/${image.hash}/640.avif`}
          imageSrcSet={srcSet(image.hash, "avif", upTo)}
          imageSizes={sizes}
          fetchPriority="high"
        />
      )}
      <picture>
        {["avif", "webp"].map((format) => (
          <source key={format} type={`image/${format}`} srcSet={srcSet(image.hash, format, upTo)} sizes={sizes} />
        ))}
        <img
          ref={untilLoaded}
          src={`/images/${image.hash}/640.jpg`}
          width={image.width}
          height={image.height}
          alt={alt}
          loading={eager || urgent ? "eager" : "lazy"}
          fetchPriority={urgent ? "high" : "auto"}
          decoding="async"
          className="absolute inset-0 size-full object-cover"
          style={{ objectPosition: image.focus }}
        />
      </picture>
    </span>
  );
}

/** Marks the picture's box while the picture loads. CSS shows a spinner for this mark. */
function untilLoaded(img: HTMLImageElement | null): void {
  const place = img?.parentElement?.parentElement;
  if (!place || img.complete) return;
  place.dataset.waiting = "";
  for (const end of ["load", "error"]) img.addEventListener(end, () => delete place.dataset.waiting, { once: true });
}
