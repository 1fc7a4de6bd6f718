import type { ProductImage } from "#db/types.ts";
import { contentHash, originalOf, storePicture, wholeOriginalOf } from "./originals.server.ts";
import { inTurn, loadSharp, MOST_PIXELS } from "./sharp.server.ts";

export type NewPicture = Pick<ProductImage, "hash" | "width" | "height" | "background">;

/** Stores a picture of any usual format, once however often it is given. Throws with what is wrong. */
export async function addPicture(given: Buffer): Promise<NewPicture> {
  const picture = (await wholeOriginalOf(contentHash(given))) ?? (await encodeAnew(given));
  return { hash: await storePicture(picture), ...(await measure(picture)) };
}

/** What is known of a stored picture; undefined where there is none of this hash. */
export async function describePicture(hash: string): Promise<NewPicture | undefined> {
  const picture = await originalOf(hash);
  return picture && { hash, ...(await measure(picture)) };
}

/** The picture itself and nothing else: metadata and appended data are gone. */
async function encodeAnew(bytes: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  const encode = () =>
    sharp(bytes, { limitInputPixels: MOST_PIXELS })
      .timeout({ seconds: 20 })
      .rotate()
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 92 })
      .toBuffer();
  try {
    return await inTurn(encode);
  } catch (error) {
    throw new Error(`is no picture (JPEG, PNG, WebP, AVIF, GIF or TIFF): ${(error as Error).message}`);
  }
}

/** Its size, and the colour of its place until it has loaded. */
async function measure(picture: Buffer): Promise<Omit<NewPicture, "hash">> {
  const sharp = await loadSharp();
  const { width, height } = await sharp(picture).metadata();
  const corner = await sharp(picture).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
  return { width, height, background: `#${corner.subarray(0, 3).toString("hex")}` };
}
