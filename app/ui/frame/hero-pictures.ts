import type { CSSProperties, ImgHTMLAttributes, SourceHTMLAttributes } from "react";
import { type PictureSource, srcSet } from "../picture.tsx";
import { CROP, CROPS, type HeroColor, heroFile, homeSrcSet } from "./home-pictures.ts";

type Source = SourceHTMLAttributes<HTMLSourceElement>;

/** A slide's picture: where it lies, and what browsers choose from. The server works it out, so that its rules are sent to nobody. */
export type HeroPicture = {
  place: string;
  /** As AVIF; each is there as WebP, too. */
  crops: (Pick<Source, "media" | "sizes"> & { srcSet: string })[];
  /** What phones too old for WebP get in place of the `img`. */
  small?: Pick<Source, "media" | "srcSet">;
  img: Pick<ImgHTMLAttributes<HTMLImageElement>, "src" | "alt" | "width" | "height" | "className" | "style">;
};

/** The grounds on which words in the colour of paper can be read, those of the pictures that the shop comes with to the digit. */
export const HERO_GROUNDS: Record<HeroColor, string> = {
  orange: "bg-[#c34711]",
  green: "bg-[#0f5a3b]",
  brown: "bg-[#4b2c1a]",
};

/**
 * A picture that the shop comes with, in the crop that fits the window; its ground is the colour of its place, which shows wherever the picture does not reach:
 * the garments are never cut. Where they lie above the words the place is only theirs; where they lie beside them it is all of the slide.
 */
export function shippedPicture(color: HeroColor, alt: string): HeroPicture {
  const { width, height } = CROP.desktop;
  return {
    place:
      "relative beside:absolute beside:inset-x-0 beside:top-[var(--under,0rem)] beside:bottom-0 beside:[container-type:size]",
    crops: CROPS.map((crop) => ({
      media: CROP[crop].media,
      sizes: "100vw",
      srcSet: homeSrcSet(heroFile(color, crop), CROP[crop].widths, "avif"),
    })),
    small: { media: CROP.phone.media, srcSet: `/home/${heroFile(color, "phone")}.jpg` },
    img: {
      src: `/home/${heroFile(color, "desktop")}.jpg`,
      alt,
      width,
      height,
      className:
        "absolute inset-0 size-full object-contain beside:top-1/2 beside:right-0 beside:left-auto beside:h-auto beside:w-[min(100cqw,213cqh)] beside:max-w-none beside:-translate-y-1/2",
    },
  };
}

/** As `beside` in tokens.css. */
const BESIDE = "(min-width: 48rem) and (min-aspect-ratio: 6/5)";
const ABOVE = `not all and ${BESIDE}`;
const LARGEST = 1200;

type Own = Omit<PictureSource, "alt">;

/**
 * A picture of the owner's. It never lies under the words, whatever it shows: in wide windows it is the right half, where the words end before the
 * middle, in others what is above them. A crop keeps its focus point.
 */
export function ownPicture(desktop: Own, phone: Own | null, alt: string): HeroPicture {
  const small = phone ?? desktop;
  const cropOf = (image: Own, media: string, least: string, height: number) => ({
    media,
    sizes: `max(${least}, ${Math.round((height * image.width) / image.height)}vh)`, // as wide as a crop of that height needs it
    srcSet: srcSet(image.hash, "avif", LARGEST),
  });
  return {
    place:
      "relative mb-6 beside:absolute beside:inset-x-0 beside:top-[var(--under,0rem)] beside:bottom-0 beside:left-1/2 beside:mb-0",
    crops: [cropOf(desktop, BESIDE, "50vw", 90), cropOf(small, ABOVE, "100vw", 50)],
    small: phone ? { media: ABOVE, srcSet: `/images/${phone.hash}/800.jpg` } : undefined,
    img: {
      src: `/images/${desktop.hash}/1200.jpg`,
      alt,
      width: desktop.width,
      height: desktop.height,
      className: "absolute inset-0 size-full object-cover object-(--focus) beside:object-(--focus-beside)",
      style: { "--focus": small.focus, "--focus-beside": desktop.focus } as CSSProperties,
    },
  };
}
