import type { Sharp } from "sharp";
import { log } from "#app/infra/log.server.ts";
import { FORMATS, type PictureFormat, WIDTHS } from "#app/ui/picture-sizes.ts";
import { DamagedPicture, listOriginals, originalOf } from "./originals.server.ts";
import { inTurn, loadSharp, MOST_PIXELS } from "./sharp.server.ts";
import { pictureStore } from "./store.server.ts";

const nameOf = (hash: string, width: number, format: PictureFormat) => `${hash}/${width}.${format}`;

const running = new Map<string, Promise<Buffer<ArrayBuffer> | undefined>>();

/**
 * The bytes of one rendering, from the store or newly made. Undefined if there is no such original. Simultaneous
 * requests share one read and one encoding.
 */
export function picture(hash: string, width: number, format: PictureFormat): Promise<Buffer<ArrayBuffer> | undefined> {
  const name = nameOf(hash, width, format);
  const found = running.get(name) ?? findOrMake(hash, width, format).finally(() => running.delete(name));
  running.set(name, found);
  return found;
}

async function findOrMake(
  hash: string,
  width: number,
  format: PictureFormat,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const name = nameOf(hash, width, format);
  const store = pictureStore();
  const found = await store.read(name);
  if (found && isOf(format, found)) return found;
  const original = await originalOf(hash);
  if (!original) return;
  const made = await render(original, width, format);
  await store.write(name, made);
  return made;
}

const BEGINS: Record<PictureFormat, [at: number, text: string]> = {
  avif: [4, "ftypavif"],
  webp: [8, "WEBP"],
  jpg: [0, "\xff\xd8\xff"],
};

/**
 * Whether the bytes begin like a picture of this format. Browsers cache a rendering for a year, so an empty file or an
 * error page of the store must not be served.
 */
function isOf(format: PictureFormat, bytes: Buffer): boolean {
  const [at, text] = BEGINS[format];
  return bytes.toString("latin1", at, at + text.length) === text;
}

async function render(original: Buffer, width: number, format: PictureFormat): Promise<Buffer<ArrayBuffer>> {
  const sharp = await loadSharp();
  const resized = sharp(original, { limitInputPixels: MOST_PIXELS })
    .rotate()
    .resize({ width, withoutEnlargement: true });
  return inTurn(() =>
    encode(resized, format)
      .toBuffer()
      .catch((cause: unknown) => {
        throw new UnreadablePicture("The picture cannot be decoded", { cause });
      }),
  );
}

class UnreadablePicture extends Error {}

function encode(image: Sharp, format: PictureFormat): Sharp {
  if (format === "avif") return image.avif({ quality: 52, effort: 3 });
  if (format === "webp") return image.webp({ quality: 68, effort: 4 }); // no larger than a JPEG, even of fine cloth
  return image.jpeg({ quality: 78, mozjpeg: true });
}

const ALL = FORMATS.flatMap((format) => WIDTHS.map((width) => ({ format, width })));

/** Makes the missing renderings of one picture, and calls `onProgress` after each. Safe to repeat. */
export async function makePictures(hash: string, onProgress: (made: number, all: number) => void): Promise<void> {
  for (const [at, { format, width }] of ALL.entries()) {
    await picture(hash, width, format);
    onProgress(at + 1, ALL.length);
  }
}

/** Makes all missing renderings, one after the other. Pictures that cannot be read are skipped. Safe to repeat. */
export async function makeAllPictures(): Promise<void> {
  const originals = await listOriginals();
  const there = new Set<string>();
  for await (const name of pictureStore().list("all")) there.add(name);
  const unreadable = new Set<string>();
  let made = 0;
  for (const { format, width } of ALL) {
    for (const hash of originals) {
      if (there.has(nameOf(hash, width, format)) || unreadable.has(hash)) continue;
      try {
        await picture(hash, width, format);
        made++;
      } catch (error) {
        if (!(error instanceof UnreadablePicture || error instanceof DamagedPicture)) throw error;
        unreadable.add(hash);
        log.warn({ err: error, hash }, "a picture cannot be read");
      }
    }
  }
  log.info({ made }, "pictures made");
}
