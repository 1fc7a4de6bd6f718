import { FORMATS, HOME_PICTURES, type HomePictureName, homeSrcSet, middleFile } from "./home-pictures.ts";

type Props = { name: HomePictureName; alt: string; sizes: string; className?: string };

/** One of the large pictures below the campaign, fetched when it comes near. */
export function HomePicture({ name, alt, sizes, className = "" }: Props) {
  const { width, height, widths, middle } = HOME_PICTURES[name];
  return (
    <picture>
      {middle &&
        FORMATS.map((format) => (
          <source
            key={format}
            media={middle.media}
            type={`image/${format}`}
            srcSet={homeSrcSet(middleFile(name), middle.widths, format)}
            sizes="27rem"
          />
        ))}
      {FORMATS.map((format) => (
        <source key={format} type={`image/${format}`} srcSet={homeSrcSet(name, widths, format)} sizes={sizes} />
      ))}
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
