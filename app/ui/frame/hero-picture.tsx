import type { HeroPicture } from "./hero-pictures.ts";

/** The picture of a campaign, in the crop that fits the window. */
export function HeroPictureView({ place, crops, small, img, urgent = false }: HeroPicture & { urgent?: boolean }) {
  return (
    <div className={place}>
      {urgent && crops.map((crop) => <Preload key={crop.media} {...crop} />)}
      <picture>
        {crops.map((crop) => (
          <source key={crop.media} {...crop} type="image/avif" />
        ))}
        {small && <source {...small} />}
        <img {...img} alt={img.alt} fetchPriority={urgent ? "high" : "low"} decoding="async" />
      </picture>
    </div>
  );
}

/** Preloads the picture before the scripts, which would otherwise use up the connections. */
function Preload({ media, srcSet, sizes }: HeroPicture["crops"][number]) {
  return (
    <link
      rel="preload"
      as="image"
      type="image/avif"
      media={media}
      href={srcSet.split(" ")[0]} // for browsers that do not support imagesrcset
      imageSrcSet={srcSet}
      imageSizes={sizes}
      fetchPriority="high"
    />
  );
}
