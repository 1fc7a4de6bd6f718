// Makes the home page's pictures from their originals: node scripts/home-pictures.ts
import { mkdirSync } from "node:fs";
import sharp, { type Region } from "sharp";
import { CROP, CROPS, HERO_COLORS, HOME_PICTURES, heroFile } from "#app/ui/frame/home-pictures.ts";

const TARGET = "public/home";
mkdirSync(TARGET, { recursive: true });

for (const color of HERO_COLORS) {
  for (const crop of CROPS) {
    const { width, height, widths } = CROP[crop];
    const file = heroFile(color, crop);
    await make(`db/demo/hero/${file}.jpg`, file, widths, { left: 0, top: 0, width, height });
  }
}
for (const [name, { widths }] of Object.entries(HOME_PICTURES)) await make(`db/demo/home/${name}.jpg`, name, widths);

/** `part` of the original is kept; the whole of it where there is none. */
async function make(original: string, name: string, widths: number[], part?: Region): Promise<void> {
  const image = part ? sharp(original).extract(part) : sharp(original);
  for (const width of widths) {
    const sized = image.clone().resize({ width });
    await sized.clone().avif({ quality: 48, effort: 4 }).toFile(`${TARGET}/${name}-${width}.avif`);
    await sized.clone().webp({ quality: 70, effort: 5 }).toFile(`${TARGET}/${name}-${width}.webp`);
  }
  const jpeg = image.resize({ width: widths[1] }).jpeg({ quality: 74, mozjpeg: true });
  await jpeg.toFile(`${TARGET}/${name}.jpg`);
}
