// Makes the hero's pictures from their originals: node scripts/hero-images.ts
import path from "node:path";
import sharp from "sharp";

const folder = "scripts/hero-originals";
const WIDTHS = { desktop: [1024, 1536, 2048], mobile: [480, 720, 1080] };

for (const color of ["orange", "green", "brown"]) {
  for (const [shape, widths] of Object.entries(WIDTHS)) {
    for (const width of widths) {
      const image = sharp(path.join(folder, `hero-${color}-${shape}.jpg`)).resize({ width });
      const target = `public/hero/${color}-${shape}-${width}`;
      await image.clone().avif({ quality: 48, effort: 6 }).toFile(`${target}.avif`);
      await image.clone().webp({ quality: 70, effort: 6 }).toFile(`${target}.webp`);
    }
    await sharp(path.join(folder, `hero-${color}-${shape}.jpg`))
      .resize({ width: widths[1] })
      .jpeg({ quality: 74, mozjpeg: true })
      .toFile(`public/hero/${color}-${shape}.jpg`);
  }
}
