import { hasTooManyScans } from "./jpeg-scans.ts";
import { loadSharp, MOST_PIXELS } from "./sharp.server.ts";

/** What to make of an uploaded picture: the photograph of a return, or the original of a product's picture. */
export type Recipe = "photograph" | "original";

/** The fault of a picture: it cannot be read, or takes too much processor time. */
export type Undecoded = { fault: "no-picture" | "too-slow"; says: string };
export const TOO_SLOW: Undecoded = { fault: "too-slow", says: "it takes too long to open" };

/** The exit code of a decoder process that exceeded its processor time. */
export const TOOK_TOO_LONG = 3;

/** The longest side of a photograph in px, large enough to show a tear. */
const SIDE = 2000;
const PHOTOGRAPHS = ["jpeg", "png", "webp", "heif"];

/**
 * Encodes the picture again as a JPEG, without metadata and appended data. A JPEG with too many scans is refused before
 * decoding.
 */
export async function encodeAnew(given: Uint8Array, recipe: Recipe): Promise<{ picture: Buffer } | Undecoded> {
  if (hasTooManyScans(given)) return TOO_SLOW;
  try {
    return { picture: await encoded(given, recipe) };
  } catch (error) {
    // Sharp throws plain errors for anything that it cannot read.
    return { fault: "no-picture", says: (error as Error).message };
  }
}

async function encoded(given: Uint8Array, recipe: Recipe): Promise<Buffer> {
  const sharp = await loadSharp();
  if (recipe === "original") {
    const whole = sharp(given, { limitInputPixels: MOST_PIXELS }).rotate().flatten({ background: "#ffffff" });
    return whole.jpeg({ quality: 92 }).toBuffer();
  }
  const image = sharp(given, { limitInputPixels: MOST_PIXELS, failOn: "error" });
  const { format } = await image.metadata();
  if (!PHOTOGRAPHS.includes(format)) throw new Error(`${format} is taken for no photograph`);
  return image
    .rotate()
    .resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#fff" })
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer();
}
