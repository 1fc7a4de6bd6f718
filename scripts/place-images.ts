// Makes the pictures of empty places (app/ui/frame/place-picture.tsx) from the originals in a folder:
// node scripts/place-images.ts FOLDER
import path from "node:path";
import sharp from "sharp";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Name the folder with the originals");

for (const name of ["collar", "scarf", "stack", "tote"]) {
  const original = sharp(path.join(folder, `${name}.jpg`));
  for (const width of [480, 960]) {
    const image = original.clone().resize({ width });
    await image.avif({ quality: 45, effort: 6 }).toFile(`public/places/${name}-${width}.avif`);
  }
  await original
    .clone()
    .resize({ width: 640 })
    .jpeg({ quality: 66, mozjpeg: true })
    .toFile(`public/places/${name}.jpg`);
}
