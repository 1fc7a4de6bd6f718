import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Sharp } from "sharp";
import { inSeconds, YEAR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { isRunning } from "#app/infra/unfinished.server.ts";
import { FORMATS, type PictureFormat, WIDTHS } from "#app/ui/picture-sizes.ts";

/**
 * An original is kept at DATA_DIR/pictures/HASH.jpg, named by its content; its renderings are made when first asked for, or by a job before that, and
 * kept at DATA_DIR/pictures/HASH/WIDTH.FORMAT. What a URL answers therefore never changes.
 */
const folder = path.join(env.dataDir, "pictures");
const original = (hash: string) => path.join(folder, `${hash}.jpg`);
const AT_ONCE = 2;

const TYPES: Record<PictureFormat, string> = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg" };

/** A small file can unpack to a picture that fills the memory. */
export const MOST_PIXELS = 40_000_000;

/** Other formats (drawings, documents) are not opened: their readers are large and could load further files. */
const READ = ["Jpeg", "Png", "Webp", "Heif", "Nsgif", "Tiff"];

let sharpLoaded: ReturnType<typeof prepareSharp> | undefined;

/** Loaded when a picture is to be encoded: until then it would take 26 MB of memory for nothing. Once: preparing it again would fail what it is reading. */
export function loadSharp() {
  sharpLoaded ??= prepareSharp();
  return sharpLoaded;
}

async function prepareSharp() {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: READ.map((format) => `VipsForeignLoad${format}`) });
  sharp.concurrency(1); // libvips' own threads: one each, so that encoding leaves a core to the shop
  sharp.cache(false);
  return sharp;
}

/** Keeps an original under the hash of its bytes, which is returned. */
export async function storePicture(bytes: Buffer): Promise<string> {
  const hash = contentHash(bytes);
  if (!(await exists(original(hash)))) await writeWhole(original(hash), bytes);
  return hash;
}

/** An original's bytes; undefined when there is none of this hash. */
export async function originalOf(hash: string): Promise<Buffer | undefined> {
  return (await exists(original(hash))) ? readFile(original(hash)) : undefined;
}

/** The hashes of all originals. */
export async function listOriginals(): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".jpg")).map((name) => name.slice(0, -".jpg".length));
}

export function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 20);
}

const running = new Map<string, Promise<string | null>>();
let encoding = 0;
const waiting: (() => void)[] = [];

/** The file of one rendering, made now if need be; null when there is no such original. Requests at the same time share one encoding. */
export async function picture(hash: string, width: number, format: PictureFormat): Promise<string | null> {
  const file = path.join(folder, hash, `${width}.${format}`);
  if (await exists(file)) return file;
  if (!(await exists(original(hash)))) return null;
  const key = `${hash}/${width}.${format}`;
  const made = running.get(key) ?? render(hash, width, format, file).finally(() => running.delete(key));
  running.set(key, made);
  return made;
}

async function render(hash: string, width: number, format: PictureFormat, file: string): Promise<string> {
  while (encoding >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  encoding++;
  try {
    const sharp = await loadSharp();
    const resized = sharp(original(hash), { limitInputPixels: MOST_PIXELS })
      .rotate()
      .resize({ width, withoutEnlargement: true });
    await writeWhole(file, await encode(resized, format).toBuffer());
    return file;
  } finally {
    encoding--;
    waiting.shift()?.();
  }
}

function encode(image: Sharp, format: PictureFormat): Sharp {
  if (format === "avif") return image.avif({ quality: 52, effort: 3 });
  if (format === "webp") return image.webp({ quality: 74, effort: 4 });
  return image.jpeg({ quality: 78, mozjpeg: true });
}

const SAVING_WIDTH = 480;

/** Answers GET /images/HASH/WIDTH.FORMAT; null for anything else. With Save-Data 480 px at most. */
export async function pictureResponse(request: Request): Promise<Response | null> {
  const [, hash = "", digits = "", ending] =
    /^\/images\/([0-9a-f]{20})\/([1-9]\d*)\.(avif|webp|jpg)$/.exec(new URL(request.url).pathname) ?? [];
  const width = Number(digits);
  const format = FORMATS.find((one) => one === ending);
  if (!format || !WIDTHS.includes(width)) return null;
  const isSaving = request.headers.get("Save-Data") === "on";
  const file = await picture(hash, isSaving ? Math.min(width, SAVING_WIDTH) : width, format);
  if (!file) return null;
  return new Response(await readFile(file), {
    headers: {
      "Content-Type": TYPES[format],
      "Cache-Control": `public, max-age=${inSeconds(YEAR)}, immutable`,
      Vary: "Save-Data",
    },
  });
}

/** Makes all renderings that are missing, one after the other. Safe to repeat. */
export async function makeAllPictures(): Promise<void> {
  const originals = await listOriginals();
  let made = 0;
  for (const format of FORMATS) {
    for (const width of WIDTHS) {
      for (const hash of originals) {
        if (await exists(path.join(folder, hash, `${width}.${format}`))) continue;
        await picture(hash, width, format);
        made++;
      }
    }
  }
  log.info({ made }, "pictures made");
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Written beside its place and moved there: a reader never sees half a file. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(unfinished, bytes, { mode: 0o600 });
  await rename(unfinished, file);
}

const UNFINISHED = /\.(?:jpg|webp|avif)\.(\d+)\.[a-z0-9]+$/;

/** Removes what processes that are gone had begun to write. */
export async function removeUnfinishedPictures(): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names) {
    const [, pid] = UNFINISHED.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) await rm(path.join(folder, name), { force: true });
  }
}
