// Makes the home page's pictures from their originals: node scripts/boot.mjs home-pictures
import { mkdirSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import {
  CROP,
  CROPS,
  HERO_COLORS,
  HOME_PICTURES,
  type HomePictureName,
  heroFile,
  middleFile,
} from "#app/ui/frame/home-pictures.ts";

const TARGET = "public/home";
mkdirSync(TARGET, { recursive: true });

for (const color of HERO_COLORS) {
  for (const crop of CROPS) {
    const { width, height, widths } = CROP[crop];
    const file = heroFile(color, crop);
    const image = sharp(`db/demo/hero/${file}.jpg`).extract({ left: 0, top: 0, width, height });
    await make(image, file, widths);
    await makeJpeg(image, file, widths);
  }
}
for (const name of Object.keys(HOME_PICTURES) as HomePictureName[]) {
  const { width: whole, widths, middle } = HOME_PICTURES[name];
  const image = sharp(`db/demo/home/${name}.jpg`);
  await make(image, name, widths);
  await makeJpeg(image, name, widths);
  if (!middle) continue;
  const { width, height } = middle;
  await make(
    image.clone().extract({ left: (whole - width) / 2, top: 0, width, height }),
    middleFile(name),
    middle.widths,
  );
}

async function make(image: Sharp, name: string, widths: number[]): Promise<void> {
  for (const width of widths) {
    const sized = image.clone().resize({ width });
    await sized.clone().avif({ quality: 48, effort: 4 }).toFile(`${TARGET}/${name}-${width}.avif`);
    await sized.clone().webp({ quality: 70, effort: 5 }).toFile(`${TARGET}/${name}-${width}.webp`);
  }
}

/** For browsers too old for WebP, in one size. */
async function makeJpeg(image: Sharp, name: string, widths: number[]): Promise<void> {
  await image.clone().resize({ width: widths[1] }).jpeg({ quality: 74, mozjpeg: true }).toFile(`${TARGET}/${name}.jpg`);
}
