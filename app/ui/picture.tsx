import { useEffect, useRef, useState } from "react";
import { Spinner } from "./spinner.tsx";

export type PictureSource = { hash: string; width: number; height: number; alt: string; background: string };

const WIDTHS = [160, 320, 480, 640, 800, 1200];
/** Those that a slot may want, from a quarter of its largest. */
const set = (hash: string, format: string, upTo: number) =>
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
  const ref = useRef<HTMLImageElement>(null);
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    const img = ref.current;
    if (!img || img.complete) return;
    setWaiting(true);
  }, []);
  const done = () => setWaiting(false);
  return (
    <span
      className={`relative block overflow-hidden rounded-cut ${className}`}
      style={{ background: image.background, aspectRatio: `${image.width} / ${image.height}` }}
    >
      {urgent && (
        <link
          rel="preload"
          as="image"
          type="image/avif"
          href={`/images/${image.hash}/640.avif`}
          imageSrcSet={set(image.hash, "avif", upTo)}
          imageSizes={sizes}
          fetchPriority="high"
        />
      )}
      <picture>
        <source type="image/avif" srcSet={set(image.hash, "avif", upTo)} sizes={sizes} />
        <source type="image/webp" srcSet={set(image.hash, "webp", upTo)} sizes={sizes} />
        <img
          ref={ref}
          src={`/images/${image.hash}/640.jpg`}
          width={image.width}
          height={image.height}
          alt={alt}
          loading={eager || urgent ? "eager" : "lazy"}
          fetchPriority={urgent ? "high" : "auto"}
          decoding="async"
          onLoad={done}
          onError={done}
          className="absolute inset-0 size-full object-cover"
        />
      </picture>
      {waiting && (
        <span className="absolute inset-0 grid place-items-center text-ink/40">
          <Spinner />
        </span>
      )}
    </span>
  );
}
