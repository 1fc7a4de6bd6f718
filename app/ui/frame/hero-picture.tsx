import { CROP, CROPS, type Crop, FORMATS, type HeroColor, heroFile, homeSrcSet } from "./home-pictures.ts";

/**
 * A campaign's picture in the crop for this window. Its ground is the colour of its place, which shows wherever the picture does not reach: the
 * garments are never cut. Where they lie above the words the place is only theirs; where they lie beside them it is all of the slide.
 */
export function HeroPicture({ color, alt, urgent = false }: { color: HeroColor; alt: string; urgent?: boolean }) {
  return (
    <div className="relative beside:absolute beside:inset-x-0 beside:top-[var(--under,0rem)] beside:bottom-0 beside:[container-type:size]">
      {urgent && CROPS.map((crop) => <Preload key={crop} color={color} crop={crop} />)}
      <picture>
        {CROPS.flatMap((crop) =>
          FORMATS.map((format) => (
            <source
              key={crop + format}
              media={CROP[crop].media}
              type={`image/${format}`}
              srcSet={homeSrcSet(heroFile(color, crop), CROP[crop].widths, format)}
              sizes="100vw"
            />
          )),
        )}
        <source media={CROP.phone.media} srcSet={`/home/${heroFile(color, "phone")}.jpg`} />
        <img
          src={`/home/${heroFile(color, "desktop")}.jpg`}
          alt={alt}
          width={CROP.desktop.width}
          height={CROP.desktop.height}
          fetchPriority={urgent ? "high" : "low"}
          decoding="async"
          className="absolute inset-0 size-full object-contain beside:top-1/2 beside:right-0 beside:left-auto beside:h-auto beside:w-[min(100cqw,213cqh)] beside:max-w-none beside:-translate-y-1/2"
        />
      </picture>
    </div>
  );
}

/** Asked for before the scripts, which would else keep the connections busy. */
function Preload({ color, crop }: { color: HeroColor; crop: Crop }) {
  const { media, widths } = CROP[crop];
  const file = heroFile(color, crop);
  return (
    <link
      rel="preload"
      as="image"
      type="image/avif"
      media={media}
      href={`/home/${file}-${widths[1]}.avif`}
      imageSrcSet={homeSrcSet(file, widths, "avif")}
      imageSizes="100vw"
      fetchPriority="high"
    />
  );
}
