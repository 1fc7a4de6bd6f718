// Makes the home page's pictures from the originals in a folder, named as in app/ui/frame/home-pictures.ts:
// node scripts/boot.mjs home-pictures FOLDER
import { mkdirSync } from "node:fs";
import path from "node:path";
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

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Name the folder with the originals");
const original = (name: string) => sharp(path.join(folder, `${name}.jpg`));
const TARGET = "public/home";
mkdirSync(TARGET, { recursive: true });

for (const color of HERO_COLORS) {
  for (const crop of CROPS) {
    const { width, height, widths } = CROP[crop];
    const file = heroFile(color, crop);
    const image = original(file).extract({ left: 0, top: 0, width, height });
    await make(image, file, widths);
    if (crop === "phone" || crop === "desktop") await makeJpeg(image, file, widths);
  }
}
for (const name of Object.keys(HOME_PICTURES) as HomePictureName[]) {
  const { width: whole, widths, middle } = HOME_PICTURES[name];
  await make(original(name), name, widths);
  await makeJpeg(original(name), name, widths);
  if (!middle) continue;
  const { width, height } = middle;
  await make(
    original(name).extract({ left: (whole - width) / 2, top: 0, width, height }),
    middleFile(name),
    middle.widths,
  );
}

async function make(image: Sharp, name: string, widths: number[]): Promise<void> {
  for (const width of widths)
    await image.clone().resize({ width }).avif({ quality: 46, effort: 4 }).toFile(`${TARGET}/${name}-${width}.avif`);
}

/** The JPEG for browsers too old for AVIF, in one size only. */
async function makeJpeg(image: Sharp, name: string, widths: number[]): Promise<void> {
  await image.clone().resize({ width: widths[1] }).jpeg({ quality: 64, mozjpeg: true }).toFile(`${TARGET}/${name}.jpg`);
}
