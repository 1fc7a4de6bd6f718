/**
 * The large pictures of the home page. They are part of the build: `node scripts/boot.mjs home-pictures FOLDER` makes
 * public/home from their originals, as AVIF in several widths, and as a JPEG in one for older browsers. A campaign's
 * picture has four crops, with the garments above or beside a plain background.
 */
export const HERO_COLORS = ["orange", "green", "brown"] as const;
export type HeroColor = (typeof HERO_COLORS)[number];

type Measures = { width: number; height: number; widths: number[] };

export const CROPS = ["phone", "tablet", "desktop", "wide"] as const;
export type Crop = (typeof CROPS)[number];
/**
 * Every window matches exactly one `media`. In desktop and wide (the variant `beside` of tokens.css), the garments are
 * beside the words.
 */
export const CROP: Record<Crop, Measures & { media: string }> = {
  phone: { width: 1080, height: 992, widths: [480, 780, 1080], media: "(max-width: 767.84px)" },
  tablet: {
    width: 1536,
    height: 924,
    widths: [768, 1152, 1536],
    media: "(min-width: 768px) and (max-aspect-ratio: 1199/1000)",
  },
  desktop: {
    width: 2400,
    height: 1350,
    widths: [1200, 1680, 2400],
    media: "(min-width: 768px) and (min-aspect-ratio: 6/5) and (max-aspect-ratio: 1919/1000)",
  },
  wide: {
    width: 2880,
    height: 1350,
    widths: [1440, 1920, 2560],
    media: "(min-width: 768px) and (min-aspect-ratio: 48/25)",
  },
};

export type HomePictureName = "adire-cloth" | "pair-home-away" | "pair-tee-jersey" | "rail";
/**
 * `middle` is a separate file with the middle of a wide picture, for windows that match its `media` and show only this
 * part.
 */
export const HOME_PICTURES: Record<HomePictureName, Measures & { middle?: Measures & { media: string } }> = {
  "adire-cloth": {
    width: 2400,
    height: 1000,
    widths: [640, 1080, 1600, 2400],
    middle: { width: 1500, height: 1000, widths: [864, 1296], media: "(max-width: 432px)" },
  },
  "pair-home-away": { width: 1600, height: 1600, widths: [480, 800, 1200, 1600] },
  "pair-tee-jersey": { width: 1600, height: 1600, widths: [480, 800, 1200, 1600] },
  rail: { width: 2400, height: 1200, widths: [1080, 1600, 2400] },
};

export const heroFile = (color: HeroColor, crop: Crop) => `hero-${color}-${crop}`;

export const middleFile = (name: HomePictureName) => `${name}-middle`;

export function homeSrcSet(file: string, widths: number[]): string {
  return widths.map((width) => `/home/${file}-${width}.avif ${width}w`).join(", ");
}
