import type { ProductImage } from "#db/types.ts";
import { decode, type Wanted } from "./decoder.server.ts";
import type { Undecoded } from "./foreign.server.ts";
import { contentHash, originalOf, storePicture, wholeOriginalOf } from "./originals.server.ts";
import { loadSharp } from "./sharp.server.ts";

export type NewPicture = Pick<ProductImage, "hash" | "width" | "height" | "background">;

type Decoding = Omit<Wanted, "recipe">;

/**
 * Stores a picture of any common format; the same picture is stored only once. Throws NoPicture with the reason if it
 * is refused.
 */
export async function addPicture(given: Buffer, decoding: Decoding = {}): Promise<NewPicture> {
  const picture = (await wholeOriginalOf(contentHash(given))) ?? (await encodedAnew(given, decoding));
  return { hash: await storePicture(picture), ...(await measure(picture)) };
}

/** The bytes are not a picture, or a picture that takes too long to decode. */
export class NoPicture extends Error {
  readonly fault: Undecoded["fault"];

  constructor({ fault, says }: Undecoded) {
    super(fault === "too-slow" ? says : `is no picture (JPEG, PNG, WebP, AVIF, GIF or TIFF): ${says}`);
    this.fault = fault;
  }
}

async function encodedAnew(given: Buffer, decoding: Decoding): Promise<Buffer> {
  const made = await decode(given, { recipe: "original", ...decoding });
  if ("fault" in made) throw new NoPicture(made);
  return made.bytes;
}

/** The hash, size and background of a stored picture. Undefined if there is none with this hash. */
export async function describePicture(hash: string): Promise<NewPicture | undefined> {
  const picture = await originalOf(hash);
  return picture && { hash, ...(await measure(picture)) };
}

/** The picture's size, and the background colour shown while it loads. */
async function measure(picture: Buffer): Promise<Omit<NewPicture, "hash">> {
  const sharp = await loadSharp();
  const { width, height } = await sharp(picture).metadata();
  const corner = await sharp(picture).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer();
  return { width, height, background: `#${corner.subarray(0, 3).toString("hex")}` };
}
