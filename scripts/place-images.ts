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
    await image.avif({ quality: 45, effort: 6 }).toFile(`public/places/${name}-${width}.avif`);
  }
  await original
    .clone()
    .resize({ width: 640 })
    .jpeg({ quality: 70, mozjpeg: true })
    .toFile(`public/places/${name}.jpg`);
}
