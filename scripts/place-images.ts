// Makes the pictures of empty places from their originals: node scripts/place-images.ts
import path from "node:path";
import sharp from "sharp";

const folder = "scripts/place-originals";
const WIDTHS = [480, 960];
const PLACES = ["pair", "shirts", "rail"];

for (const name of PLACES) {
  const original = sharp(path.join(folder, `${name}.jpg`));
  for (const width of WIDTHS) {
    const image = original.clone().resize({ width });
    const target = `public/places/${name}-${width}`;
    await image.clone().avif({ quality: 45, effort: 6 }).toFile(`${target}.avif`);
    await image.clone().webp({ quality: 66, effort: 6 }).toFile(`${target}.webp`);
  }
  await original
    .clone()
    .resize({ width: 640 })
    .jpeg({ quality: 70, mozjpeg: true })
    .toFile(`public/places/${name}.jpg`);
}
