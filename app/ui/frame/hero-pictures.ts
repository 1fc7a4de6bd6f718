import type { CSSProperties, ImgHTMLAttributes, SourceHTMLAttributes } from "react";
import { type PictureSource, srcSet } from "../picture.tsx";
import { CROP, CROPS, type HeroColor, heroFile, homeSrcSet } from "./home-pictures.ts";

type Source = SourceHTMLAttributes<HTMLSourceElement>;

/**
 * The picture of a slide: the classes of its box, and the sources from which browsers choose. The server computes it,
 * so that browsers do not load this code.
 */
export type HeroPicture = {
  place: string;
  /** The AVIF sources. */
  crops: (Pick<Source, "media" | "sizes"> & { srcSet: string })[];
  /** The JPEG for phones too old for AVIF, in place of `img`. */
  small?: Pick<Source, "media" | "srcSet">;
  img: Pick<ImgHTMLAttributes<HTMLImageElement>, "src" | "alt" | "width" | "height" | "className" | "style">;
};

/**
 * Backgrounds on which paper-coloured text is readable. They have exactly the colours of the built-in pictures'
 * backgrounds.
 */
export const HERO_GROUNDS: Record<HeroColor, string> = {
  orange: "bg-[#c34711]",
  green: "bg-[#0f5a3b]",
  brown: "bg-[#4b2c1a]",
};

/**
 * A built-in picture, in the crop for the window's shape. On a low phone its garments fill the width, and it is cut off
 * at the top. Elsewhere it is never cut off, and the background fills the rest of the box. If the garments are above
 * the words, the box contains only the picture; if they are beside the words, the box is the whole slide.
 */
export function shippedPicture(color: HeroColor, alt: string): HeroPicture {
  const { width, height } = CROP.desktop;
  return {
    place:
      "relative beside:absolute beside:inset-x-0 beside:top-[var(--under,0rem)] beside:bottom-0 beside:[container-type:size]",
    crops: CROPS.map((crop) => ({
      media: CROP[crop].media,
      sizes: "100vw",
      srcSet: homeSrcSet(heroFile(color, crop), CROP[crop].widths),
    })),
    small: { media: CROP.phone.media, srcSet: `/home/${heroFile(color, "phone")}.jpg` },
    img: {
      src: `/home/${heroFile(color, "desktop")}.jpg`,
      alt,
      width,
      height,
      className:
        "absolute inset-0 size-full object-contain [@media(width<480px)_and_(height<=700px)]:object-cover [@media(width<480px)_and_(height<=700px)]:object-[50%_calc(100%+10vw)] beside:top-1/2 beside:right-0 beside:left-auto beside:h-auto beside:w-[min(100cqw,213cqh)] beside:max-w-none beside:-translate-y-1/2",
    },
  };
}

/** The same condition as the variant `beside` in tokens.css. */
const BESIDE = "(min-width: 768px) and (min-aspect-ratio: 6/5)";
const ABOVE = `not all and ${BESIDE}`;
const LARGEST = 1200;

type Own = Omit<PictureSource, "alt">;

/**
 * A picture uploaded by the owner. The words never overlap it, since its contents are unknown: in wide windows it is
 * the right half of the slide, where the words end before the middle; otherwise it is above the words. A crop keeps the
 * picture's focus point.
 */
export function ownPicture(desktop: Own, phone: Own | null, alt: string): HeroPicture {
  const small = phone ?? desktop;
  const cropOf = (image: Own, media: string, least: string, height: number) => ({
    media,
    // The width that the picture needs to fill that height.
    sizes: `max(${least}, ${Math.round((height * image.width) / image.height)}vh)`,
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
