import { existsSync } from "node:fs";
import path from "node:path";
import { importPicture } from "#app/catalog/documents/picture-import.server.ts";
import { isPublicAddress } from "#app/infra/http/public-address.ts";
import type { ProductImage } from "#db/types.ts";
import type { PastSale } from "./sale.ts";

/**
 * The pictures of imported sales, by the address or file name in their documents. A picture that could not be read has
 * a problem instead.
 */
export type PastPictures = Map<string, ProductImage | { problem: string }>;

/** Stores each picture that the sales name, once. */
export async function importPastPictures(
  sales: readonly PastSale[],
  folder: string,
  onProgress: (done: number) => void = () => {},
): Promise<PastPictures> {
  const pictures: PastPictures = new Map();
  for (const [index, { lines }] of sales.entries()) {
    for (const { picture, title } of lines)
      if (picture && !pictures.has(picture)) pictures.set(picture, await readPicture(picture, folder, title));
    onProgress(index + 1);
  }
  return pictures;
}

async function readPicture(source: string, folder: string, title: string): Promise<ProductImage | { problem: string }> {
  try {
    return await importPicture(inExport(source, folder) ?? source, folder, title, isPublicAddress);
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/**
 * The picture's path in an export of this shop. Undefined if `source` is no picture's URL of a shop, or the export
 * lacks the file.
 */
function inExport(source: string, folder: string): string | undefined {
  const [, hash] = /\/images\/([0-9a-f]{20})\/\d+\.jpg$/.exec(source) ?? [];
  const file = hash && path.join("images", `${hash}.jpg`);
  return file && existsSync(path.join(folder, file)) ? file : undefined;
}
