import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import type { MayReach } from "#app/infra/http/client.server.ts";
import type { ProductImage } from "#db/types.ts";
import { addPicture } from "../pictures/new-picture.server.ts";
import { originalOf } from "../pictures/originals.server.ts";
import { readSource } from "./picture-source.server.ts";

/**
 * More processor time than for an uploaded picture: no visitor waits for an import, and the owner has chosen the
 * pictures.
 */
const IMPORT_PROCESSOR_MS = 20 * SECOND;

/**
 * Stores the picture that a product document names. A repeated import stores it only once. Throws an error with the
 * reason if that fails.
 */
export async function importPicture(
  source: string,
  folder: string | undefined,
  alt: string,
  mayReach: MayReach,
): Promise<ProductImage> {
  const given = (await ownPicture(source)) ?? (await readSource(source, folder, mayReach));
  return { ...(await addPicture(given, { budget: { processorMs: IMPORT_PROCESSOR_MS } })), alt };
}

/** The hash in a picture URL of this shop. Undefined for other URLs. */
export function ownHash(source: string): string | undefined {
  const url = URL.parse(source);
  return url?.origin === env.publicUrl.origin ? /^\/images\/([0-9a-f]{20})\//.exec(url.pathname)?.[1] : undefined;
}

/** The stored picture for a URL from an export of this shop. Undefined for other sources. */
async function ownPicture(source: string): Promise<Buffer | undefined> {
  const hash = ownHash(source);
  if (!hash) return undefined;
  const bytes = await originalOf(hash);
  if (!bytes) throw new Error("this shop has no such picture");
  return bytes;
}
