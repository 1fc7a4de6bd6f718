import sharp from "sharp";
import { addPicture } from "#app/catalog/pictures/new-picture.server.ts";

/** Puts a white picture of 30 x 20 pixels into the store. Returns its data. */
export async function whitePicture(): Promise<{ hash: string; width: number; height: number; background: string }> {
  const background = "#ffffff";
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer();
  const { hash } = await addPicture(bytes);
  return { hash, width: 30, height: 20, background };
}
