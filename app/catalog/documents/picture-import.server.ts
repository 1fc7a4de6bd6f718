import { env } from "#app/infra/env.server.ts";
import type { MayReach } from "#app/infra/http/client.server.ts";
import type { ProductImage } from "#db/types.ts";
import { contentHash, originalOf, storePicture } from "../pictures/originals.server.ts";
import { loadSharp, MOST_PIXELS } from "../pictures/sharp.server.ts";
import { readSource } from "./picture-source.server.ts";

/** Stores the picture that a product document names, once however often it is imported. Throws with what is wrong. */
export async function importPicture(
  source: string,
  folder: string | undefined,
  alt: string,
  mayReach: MayReach,
): Promise<ProductImage> {
  const given = (await ownPicture(source)) ?? (await readSource(source, folder, mayReach));
  const picture = (await originalOf(contentHash(given))) ?? (await encodeAnew(given));
  return { hash: await storePicture(picture), ...(await measure(picture)), alt };
}

/** The hash of the picture that an address of this shop names; undefined where it names none. */
export function ownHash(source: string): string | undefined {
  const url = URL.parse(source);
  return url?.origin === env.publicUrl.origin ? /^\/images\/([0-9a-f]{20})\//.exec(url.pathname)?.[1] : undefined;
}

/** The picture behind an address in an export of this shop; undefined where the source is something else. */
async function ownPicture(source: string): Promise<Buffer | undefined> {
  const hash = ownHash(source);
  if (!hash) return undefined;
  const bytes = await originalOf(hash);
  if (!bytes) throw new Error("this shop has no such picture");
  return bytes;
}

/** The picture itself and nothing else: metadata and appended data are gone. */
async function encodeAnew(bytes: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  try {
    return await sharp(bytes, { limitInputPixels: MOST_PIXELS })
      .timeout({ seconds: 20 })
      .rotate()
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 92 })
      .toBuffer();
  } catch (error) {
    throw new Error(`is no picture (JPEG, PNG, WebP, AVIF, GIF or TIFF): ${(error as Error).message}`);
  }
}

/** Its size, and the colour of its place until it has loaded. */
async function measure(picture: Buffer): Promise<Pick<ProductImage, "width" | "height" | "background">> {
  const sharp = await loadSharp();
  const { width, height } = await sharp(picture).metadata();
  const corner = await sharp(picture).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
  return { width, height, background: `#${corner.subarray(0, 3).toString("hex")}` };
}
