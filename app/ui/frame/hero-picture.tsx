import type { HeroPicture } from "./hero-pictures.ts";
import { FORMATS } from "./home-pictures.ts";

/** A campaign's picture in what fits this window. */
export function HeroPictureView({ place, crops, small, img, urgent = false }: HeroPicture & { urgent?: boolean }) {
  return (
    <div className={place}>
      {urgent && crops.map((crop) => <Preload key={crop.media} {...crop} />)}
      <picture>
        {crops.flatMap((crop) =>
          FORMATS.map((format) => (
            <source
              key={crop.media + format}
              {...crop}
              type={`image/${format}`}
              srcSet={crop.srcSet.replaceAll("avif", format)}
            />
          )),
        )}
        {small && <source {...small} />}
        <img {...img} alt={img.alt} fetchPriority={urgent ? "high" : "low"} decoding="async" />
      </picture>
    </div>
  );
}

/** Asked for before the scripts, which would else keep the connections busy. */
function Preload({ media, srcSet, sizes }: HeroPicture["crops"][number]) {
  return (
    <link
      rel="preload"
      as="image"
      type="image/avif"
      media={media}
      href={srcSet.split(" ")[0]} // for browsers that know no srcset
      imageSrcSet={srcSet}
      imageSizes={sizes}
      fetchPriority="high"
    />
  );
}
