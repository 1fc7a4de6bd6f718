import { isHeic, isPhotograph } from "./picture-file.ts";

/** The longest side of an uploaded photograph in px: twice the largest rendering of the shop. */
const SIDE = 2400;
const SMALL = 1_500_000; // bytes

/**
 * Makes a photograph smaller for slow networks, and converts HEIC to JPEG if the browser can read it. Formats with
 * transparency stay unchanged.
 */
export async function shrunk(file: File): Promise<File> {
  if (!isPhotograph(file) || (file.size <= SMALL && !isHeic(file))) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const smaller = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  if (smaller.size >= file.size && !isHeic(file)) return file;
  return new File([smaller], `${file.name}.jpg`, { type: "image/jpeg" });
}
