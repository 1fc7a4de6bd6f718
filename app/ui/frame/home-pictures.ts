/**
 * The large pictures of the home page, which are part of a build: `node scripts/boot.mjs home-pictures` makes public/home from db/demo/home and
 * db/demo/hero. Those of a campaign exist in four crops, in which its garments lie above or beside a calm ground.
 */
export const HERO_COLORS = ["orange", "green", "brown"] as const;
export type HeroColor = (typeof HERO_COLORS)[number];

export const FORMATS = ["avif", "webp"] as const;

type Measures = { width: number; height: number; widths: number[] };

export const CROPS = ["phone", "tablet", "desktop", "wide"] as const;
export type Crop = (typeof CROPS)[number];
/** Each window fits one `media`. In those of desktop and wide, which are the variant `beside` of tokens.css, the garments lie beside the words. */
export const CROP: Record<Crop, Measures & { media: string }> = {
  phone: { width: 1080, height: 992, widths: [480, 780, 1080], media: "(max-width: 47.99rem)" },
  tablet: {
    width: 1536,
    height: 924,
    widths: [768, 1152, 1536],
    media: "(min-width: 48rem) and (max-aspect-ratio: 1199/1000)",
  },
  desktop: {
    width: 2400,
    height: 1350,
    widths: [1200, 1680, 2400],
    media: "(min-width: 48rem) and (min-aspect-ratio: 6/5) and (max-aspect-ratio: 1919/1000)",
  },
  wide: {
    width: 2880,
    height: 1350,
    widths: [1440, 1920, 2560],
    media: "(min-width: 48rem) and (min-aspect-ratio: 48/25)",
  },
};

export type HomePictureName = "adire-cloth" | "pair-home-away" | "pair-tee-jersey" | "rail";
/** Windows of `media` get a picture of their own of the middle of a wide one, which is all that they show of it. */
export const HOME_PICTURES: Record<HomePictureName, Measures & { middle?: Measures & { media: string } }> = {
  "adire-cloth": {
    width: 2400,
    height: 1000,
    widths: [640, 1080, 1600, 2400],
    middle: { width: 1500, height: 1000, widths: [864, 1296], media: "(max-width: 27rem)" },
  },
  "pair-home-away": { width: 1600, height: 1600, widths: [480, 800, 1200, 1600] },
  "pair-tee-jersey": { width: 1600, height: 1600, widths: [480, 800, 1200, 1600] },
  rail: { width: 2400, height: 1200, widths: [1080, 1600, 2400] },
};

export const heroFile = (color: HeroColor, crop: Crop) => `hero-${color}-${crop}`;

export const middleFile = (name: HomePictureName) => `${name}-middle`;

export function homeSrcSet(file: string, widths: number[], format: (typeof FORMATS)[number]): string {
  return widths.map((width) => `/home/${file}-${width}.${format} ${width}w`).join(", ");
}
