import type { Locator, Page } from "playwright-core";
import sharp from "sharp";

/** The window sizes of phones, tablets and desktops, in px, at which contrast is measured. */
export const WINDOWS = [
  [360, 640],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1440, 900],
  [1920, 1080],
];

/** The lowest contrast between the colour of these words and any pixel of their box, without the words themselves. */
export async function leastContrast(page: Page, words: Locator): Promise<number> {
  const { clip, color } = await words.evaluate((element) => {
    const { color } = getComputedStyle(element);
    const range = document.createRange();
    range.selectNodeContents(element);
    const { x, y, width, height } = range.getBoundingClientRect();
    if (element instanceof HTMLElement) element.style.color = "transparent";
    return { clip: { x, y, width, height }, color: color.match(/\d+/g)?.map(Number) ?? [] };
  });
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colors = new Set<number>();
  for (let pixel = 0; pixel < info.width * info.height; pixel++) colors.add(data.readUIntBE(pixel * 3, 3));
  const ratios = Array.from(colors, (rgb) => contrast(color, [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));
  return ratios.reduce((least, ratio) => Math.min(least, ratio));
}

function contrast(one: number[], other: number[]): number {
  const [dark = 0, light = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: number[]): number {
  const [r = 0, g = 0, b = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
