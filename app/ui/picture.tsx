import { WIDTHS } from "./picture-sizes.ts";

export type PictureSource = {
  hash: string;
  width: number;
  height: number;
  alt: string;
  background: string;
  /** The point that a crop keeps: "30% 70%". */
  focus?: string;
};

/** Those that a slot may want, from a quarter of its largest. */
export const srcSet = (hash: string, format: string, upTo: number) =>
  WIDTHS.filter((width) => width <= upTo && width >= upTo / 4)
    .map((width) => `/images/${hash}/${width}.${format} ${width}w`)
    .join(", ");

type Props = {
  image: PictureSource;
  sizes: string;
  /** The slot's largest width in device pixels. */
  upTo?: 320 | 800 | 1200;
  eager?: boolean;
  urgent?: boolean;
  className?: string;
  alt?: string;
};

/**
 * A picture of the pictures' server at the width that fits, on its ground's colour, with a spinner until it is there. A browser too old for
 * WebP gets one middling JPEG.
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

/** Marks the picture's place for as long as it is on its way; the style sheet does the rest. */
function untilLoaded(img: HTMLImageElement | null): void {
  const place = img?.parentElement?.parentElement;
  if (!place || img.complete) return;
  place.dataset.waiting = "";
  for (const end of ["load", "error"]) img.addEventListener(end, () => delete place.dataset.waiting, { once: true });
}
