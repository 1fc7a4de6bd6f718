import { HOME_PICTURES, type HomePictureName, homeSrcSet, middleFile } from "./home-pictures.ts";

type Props = { name: HomePictureName; alt: string; sizes: string; className?: string };

/** One of the large pictures below the campaign, loaded when it comes near the window. */
export function HomePicture({ name, alt, sizes, className = "" }: Props) {
  const { width, height, widths, middle } = HOME_PICTURES[name];
  return (
    <picture>
      {middle && (
        <source
          media={middle.media}
          type="image/avif"
          srcSet={homeSrcSet(middleFile(name), middle.widths)}
          sizes="27rem"
        />
      )}
      <source type="image/avif" srcSet={homeSrcSet(name, widths)} sizes={sizes} />
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
