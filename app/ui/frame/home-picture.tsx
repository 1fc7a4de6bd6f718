import { HOME_PICTURES, type HomePictureName, homeSrcSet } from "./home-pictures.ts";

type Props = { name: HomePictureName; alt: string; sizes: string; className?: string };

/** One of the large pictures below the campaign, fetched when it comes near. */
export function HomePicture({ name, alt, sizes, className = "" }: Props) {
  const { width, height, widths } = HOME_PICTURES[name];
  return (
    <picture>
      <source type="image/avif" srcSet={homeSrcSet(name, widths, "avif")} sizes={sizes} />
      <source type="image/webp" srcSet={homeSrcSet(name, widths, "webp")} sizes={sizes} />
      <img
        src={`/home/${name}.jpg`}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        className={className}
      />
    </picture>
  );
}
