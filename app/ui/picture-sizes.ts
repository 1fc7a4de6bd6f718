/** The widths in px in which every picture can be requested. */
export const WIDTHS = [160, 320, 400, 480, 640, 800, 1200];
export const FORMATS = ["avif", "webp", "jpg"] as const;
export type PictureFormat = (typeof FORMATS)[number];
